const key = Symbol.for('conformance.loads');
const shared = globalThis as { [key]?: number };
shared[key] = (shared[key] ?? 0) + 1;

/** How often this module has been evaluated. */
export function GET(): Response {
  return Response.json({ loads: shared[key] });
}
