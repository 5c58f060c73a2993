/** The environment that a Worker's variables name. */
export function environmentOf(env: unknown): string | undefined {
  // process.env has it too, but only in a Worker with a compatibility date since 2025-04-01.
  const name = (env as { NODE_ENV?: unknown } | undefined)?.NODE_ENV;
  return typeof name === 'string' ? name : undefined;
}
