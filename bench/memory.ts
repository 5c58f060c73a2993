import type { Contestant } from './http/contestants.ts';
import { chooseLoadGenerator } from './http/load.ts';
import { scenarios } from './http/scenarios.ts';
import type { Scenario } from './http/scenarios.ts';
import { atMost } from './section.ts';
import type { Section } from './section.ts';
import { startServer } from './server-process.ts';

/** Memory of a server after many requests. */
export async function measureMemory(build: string): Promise<Section[]> {
  return [await measureGrowth(build), await measureBodies(build)];
}

async function measureGrowth(build: string): Promise<Section> {
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

const BODIES = 75_000;

/** Bodies are what a server is most likely to retain by mistake: each is large, and read by more than one closure. */
async function measureBodies(build: string): Promise<Section> {
  const scenario = scenarios.find(({ name }) => name === '10 KB echo') as Scenario; // named there
  const load = chooseLoadGenerator();
  const after = async (name: string, file: string): Promise<number> => {
    const server = await startServer({ name, command: [process.execPath, `servers/${file}.mjs`] }, build);
    try {
      let requests = 0;
      while (requests < BODIES) requests += (await load.run(server.url, scenario, 1)).requests;
      return (await server.memory()) ?? NaN;
    } finally {
      await server.stop();
    }
  };
  const [raw, appkit, hono] = [
    await after('raw node:http', 'raw'),
    await after('appkit node', 'appkit-node'),
    await after('hono app + @hono/node-server', 'hono'),
  ];
  return {
    title: 'Memory after bodies',
    text: `RSS after ${BODIES.toLocaleString('en-US')} echoes of 10 KB: raw node:http ${raw.toFixed(0)} MiB, appkit node ${appkit.toFixed(0)} MiB, hono ${hono.toFixed(0)} MiB.`,
    goals: [atMost(`memory after ${BODIES.toLocaleString('en-US')} echoes: of raw`, appkit / raw, { limit: 1.1 })],
  };
}
