// `appkit init` reads them, without a bundler.

/** How to host a framework's build. */
export interface Preset {
  /** As in `--from`. */
  name: string;
  /** The package whose presence in a project identifies the framework. */
  package: string;
  /** The server module, relative to the project. */
  server: string;
  /** The folder with the client files, relative to the project. */
  client: string;
  /** The folders, relative to `client`, in which each file is named after its content, so that it never changes. */
  immutable: readonly string[];
  /** A file that contains this list, if the project decides on the folders. It replaces `immutable`. */
  immutableFile?: string;
  /** The command that makes the build. */
  build: string;
  /** The command of its development server, which takes `--host` and `--port`. */
  development: string;
  /** Writes the module that exports `fetch`. By default the server's own module does. */
  toEntry?: (server: string) => string;
}

/** The known frameworks. */
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
