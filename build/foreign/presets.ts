// `appkit init` reads them, without a bundler.

/** How a framework's build is hosted. */
export interface Preset {
  /** As in `--from`. */
  name: string;
  /** The package that a project has which is built by it. */
  package: string;
  /** The module of its server, relative to the project. */
  server: string;
  /** The folder of its files for clients, relative to the project. */
  client: string;
  /** Folders of these files, relative to `client`, in which each is named by its content, so that it never changes. */
  immutable: readonly string[];
  /** A file with a list in place of `immutable`, if the project decides on the folders. */
  immutableFile?: string;
  /** The command that makes the build. */
  build: string;
  /** The command of its development server, which takes `--host` and `--port`. */
  development: string;
  /** Writes the module that exports `fetch`. Default: the server's own does. */
  toEntry?: (server: string) => string;
}

/** The frameworks whose builds are known. */
export const PRESETS: readonly Preset[] = [
  {
    name: 'react-router',
    package: '@react-router/dev',
    server: 'build/server/index.js',
    client: 'build/client',
    immutable: ['assets'],
    build: 'react-router build',
    development: 'react-router dev',
    // Its second argument is a RouterContextProvider of the app, or nothing.
    toEntry: (server) => `
import { createRequestHandler } from 'react-router';
import * as build from ${JSON.stringify(server)};
const handle = createRequestHandler(build, 'production');
export const fetch = (request) => handle(request);
`,
  },
  {
    name: 'tanstack-start',
    package: '@tanstack/react-start',
    server: 'dist/server/server.js',
    client: 'dist/client',
    immutable: ['assets'],
    build: 'vite build',
    development: 'vite dev --strictPort',
  },
  {
    name: 'nitro',
    package: 'nitro',
    server: '.output/server/index.mjs',
    client: '.output/public',
    immutable: [],
    build: 'nitro build --preset standard',
    development: 'nitro dev',
  },
  {
    name: 'solid-start',
    package: '@solidjs/start',
    server: 'dist/server/entry-server.js',
    client: 'dist/client',
    immutable: ['_build/assets'],
    build: 'vite build',
    development: 'vite dev --strictPort',
  },
  {
    name: 'sveltekit',
    package: '@sveltejs/kit',
    server: '.svelte-kit/appkit/index.js',
    client: '.svelte-kit/appkit/client',
    immutable: ['_app/immutable'],
    immutableFile: '.svelte-kit/appkit/immutable.json',
    build: 'vite build',
    development: 'vite dev --strictPort',
  },
  {
    name: 'astro',
    package: 'astro',
    server: 'dist/server/entry.mjs',
    client: 'dist/client',
    immutable: ['_astro'],
    build: 'astro build',
    development: 'astro dev',
  },
  {
    name: 'vike',
    package: 'vike',
    server: 'dist/server/entry.mjs',
    client: 'dist/client',
    immutable: ['assets'],
    build: 'vike build',
    development: 'vike dev',
    // The module of the build registers the app with the package.
    toEntry: (server) => `
import ${JSON.stringify(server)};
import vike from 'vike/fetch';
export const fetch = (request) => vike.fetch(request);
`,
  },
];
