import type { MiddlewareRole } from 'appkit-build/development';

/** A middleware of the app. */
interface Entry {
  role: MiddlewareRole;
  pattern: string;
}

/** Its label in a table of routes. */
export function toKind(role: MiddlewareRole): string {
  return role === 'instrumentation' ? role : 'middleware';
}

/** What a sentence calls it. */
export function nameOf({ role, pattern }: Entry): string {
  return role === 'instrumentation' ? 'the instrumentation' : `the middleware of ${pattern}`;
}
