import { index, route } from '@react-router/dev/routes';
import type { RouteConfig } from '@react-router/dev/routes';

export default [
  index('routes/home.tsx'),
  route('echo', 'routes/echo.ts'),
  route('cookies', 'routes/cookies.ts'),
  route('stream', 'routes/stream.ts'),
  route('released', 'routes/released.ts'),
  route('away', 'routes/away.ts'),
] satisfies RouteConfig;
