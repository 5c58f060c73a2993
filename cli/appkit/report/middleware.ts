import type { MiddlewareRole } from 'appkit-build/development';

/** Middleware, as the app has it. */
interface Entry {
  role: MiddlewareRole;
  pattern: string;
}

/** What a table of routes calls it. */
export function toKind(role: MiddlewareRole): string {
  return role === 'instrumentation' ? role : 'middleware';
}

/** What a sentence calls it. */
export function nameOf({ role, pattern }: Entry): string {
  return role === 'instrumentation' ? 'the instrumentation' : `the middleware of ${pattern}`;
}
