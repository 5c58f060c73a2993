import type { Contestant } from './http/contestants.ts';
import { chooseLoadGenerator } from './http/load.ts';
import { scenarios } from './http/scenarios.ts';
import type { Scenario } from './http/scenarios.ts';
import { atMost } from './section.ts';
import type { Section } from './section.ts';
import { startServer } from './server-process.ts';

/** Memory of the node adapter after many requests. */
export async function measureMemory(build: string): Promise<Section> {
  const contestant: Contestant = { name: 'appkit node', command: [process.execPath, 'servers/appkit-node.mjs'] };
  const scenario = scenarios.find(({ name }) => name === 'text, 20 headers') as Scenario; // named there
  const load = chooseLoadGenerator();
  const server = await startServer(contestant, build);
  try {
    let requests = 0;
    const sendUntil = async (count: number): Promise<number> => {
      while (requests < count) requests += (await load.run(server.url, scenario, 2)).requests;
      return (await server.memory()) ?? NaN;
    };
    const early = await sendUntil(100_000);
    const late = await sendUntil(1_000_000);
    return {
      title: 'Memory',
      text: `RSS of the node adapter after 100,000 requests: ${early.toFixed(0)} MiB; after 1,000,000: ${late.toFixed(0)} MiB.`,
      goals: [atMost('memory after 1,000,000 requests: of after 100,000', late / early, { limit: 1.1 })],
    };
  } finally {
    await server.stop();
  }
}
