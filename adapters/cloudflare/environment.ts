/** The environment that a Worker is told by its variables. */
export function environmentOf(env: unknown): string | undefined {
  // process.env has it too, but only in a Worker of a compatibility date since 2025-04-01.
  const name = (env as { NODE_ENV?: unknown } | undefined)?.NODE_ENV;
  return typeof name === 'string' ? name : undefined;
}
