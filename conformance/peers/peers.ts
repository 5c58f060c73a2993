/** A server of another project, or ours, which servers/<name>.mjs starts. */
export interface Peer {
  name: string;
  title: string;
  /** The package whose version is shown. */
  package: string;
  /** The program that runs the server. Default: `node`. */
  program?: string;
  /** The command that builds projects/<name>, in that folder. Default: nothing is built. */
  build?: readonly string[];
}

/** In the order of the page. */
export const peers: readonly Peer[] = [
  { name: 'appkit', title: 'appkit, node adapter', package: 'appkit-server' },
  { name: 'bun', title: 'Bun.serve', package: 'bun', program: 'bun' },
  { name: 'deno', title: 'Deno.serve', package: 'deno', program: 'deno run --allow-all' },
  { name: 'expo-server', title: 'expo-server', package: 'expo-server' },
  { name: 'express', title: 'Express, by hand', package: 'express' },
  { name: 'h3', title: 'h3', package: 'h3' },
  { name: 'hono', title: 'Hono on its server', package: 'hono' },
  { name: 'hono-node-server', title: '@hono/node-server', package: '@hono/node-server' },
  { name: 'nitro', title: 'Nitro, preset node-server', package: 'nitro', build: ['nitro', 'build'] },
  { name: 'node-fetch-server', title: '@remix-run/node-fetch-server', package: '@remix-run/node-fetch-server' },
  { name: 'react-router-express', title: '@react-router/express', package: '@react-router/express' },
  { name: 'react-router-node', title: '@react-router/node', package: '@react-router/node' },
  { name: 'srvx', title: 'srvx', package: 'srvx' },
  { name: 'sveltekit', title: 'SvelteKit, adapter-node', package: '@sveltejs/adapter-node', build: ['vite', 'build'] },
  { name: 'whatwg-node-server', title: '@whatwg-node/server', package: '@whatwg-node/server' },
];
