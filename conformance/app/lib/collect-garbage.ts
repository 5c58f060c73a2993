/** Collects what nothing refers to any more, on the hosts that let code do so. */
export async function collectGarbage(): Promise<void> {
  const { Bun } = globalThis as { Bun?: { gc(force: boolean): void } };
  if (Bun !== undefined) return Bun.gc(true);
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 5; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
