import type { MiddlewareConfig } from 'appkit-server';
import { sessions } from '../server/sessions.ts';

export const config: MiddlewareConfig = { matcher: { patterns: ['/members', '/members/[...path]'] } };

/** Lets only signed-in users into /members. Others are redirected to the sign-in, and back afterwards. */
export default function middleware(request: Request): Promise<Response | undefined> {
  return sessions.guard(request);
}
