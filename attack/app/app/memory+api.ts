interface Runtime {
  /** Exists on Node and Deno if a flag enables it. */
  gc?: () => void;
  Bun?: { gc(force: boolean): void };
  process: { memoryUsage(): { heapUsed: number; rss: number } };
}

/**
 * What the process holds after garbage collection: the minimum of several. Each collection leaves something that the
 * next one frees, such as objects held by a finalizer; only what no collection frees is held for good.
 */
export async function GET(): Promise<Response> {
  const { gc, Bun, process } = globalThis as unknown as Runtime;
  const collect = Bun ? () => Bun.gc(true) : gc;
  if (!collect) return new Response('The host was started without a way to collect garbage.', { status: 500 });
  let least = process.memoryUsage();
  for (let round = 0; round < 10; round++) {
    collect();
    const now = process.memoryUsage();
    if (now.heapUsed < least.heapUsed) least = now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, rss } = least;
  return Response.json({ heapUsed, rss });
}
