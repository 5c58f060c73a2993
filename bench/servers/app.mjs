import { megabyte } from './fetch-handler.mjs';

const routes = {
  '/text': { GET: async () => new Response('Hello, world!') },
  '/json/[id]': { GET: async (_request, { id }) => Response.json({ id, ok: true }) },
  '/echo': { POST: async (request) => Response.json(await request.json()) },
  '/stream': { GET: async () => new Response(megabyte()) },
};

/** The same routes as an exported app has them. */
export const build = {
  manifest: {
    version: 1,
    routes: Object.entries(routes).map(([pattern, module]) => ({
      pattern,
      file: pattern,
      methods: Object.keys(module),
    })),
  },
  modules: Object.fromEntries(Object.entries(routes).map(([pattern, module]) => [pattern, () => module])),
};
