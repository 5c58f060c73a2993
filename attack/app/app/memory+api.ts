interface Runtime {
  /** Of Node and Deno, where the flag asks for it. */
  gc?: () => void;
  Bun?: { gc(force: boolean): void };
  process: { memoryUsage(): { heapUsed: number; rss: number } };
}

/** What the process holds after a garbage collection. */
export async function GET(): Promise<Response> {
  const { gc, Bun, process } = globalThis as unknown as Runtime;
  const collect = Bun ? () => Bun.gc(true) : gc;
  if (!collect) return new Response('The host was started without a way to collect garbage.', { status: 500 });
  for (let round = 0; round < 6; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, rss } = process.memoryUsage();
  return Response.json({ heapUsed, rss });
}
