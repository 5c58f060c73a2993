import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The part of SvelteKit's builder that the adapter uses, so that this package installs without SvelteKit. */
export interface SvelteKitBuilder {
  config: { paths: { base: string } };
  /** The folder of `_app` in the build, including the base path. */
  getAppPath(): string;
  getBuildDirectory(name: string): string;
  generateServerInstance(file: string): void;
  writeClient(folder: string): string[];
  writePrerendered(folder: string): string[];
}

/** An adapter of SvelteKit. */
export interface SvelteKitAdapter {
  name: string;
  adapt(builder: SvelteKitBuilder): void;
  supports: { read: () => boolean };
}

const ENTRY = `import { server } from './instance.js';

let initialized;

export async function fetch(request, { clientAddress, env, platform }) {
  await (initialized ??= server.init({ env }));
  return server.respond(request, {
    platform,
    getClientAddress() {
      if (clientAddress === undefined) throw new Error('The host does not say which address the client has.');
      return clientAddress;
    },
  });
}
`;

/**
 * The adapter of SvelteKit 3: leaves its build where `appkit export --from sveltekit` finds it.
 *
 * `event.platform` is what the host provides, and `event.getClientAddress()` returns the address trusted by
 * `trustProxy`.
 */
export function adapter(): SvelteKitAdapter {
  return {
    name: 'appkit-build',
    adapt(builder) {
      const folder = builder.getBuildDirectory('appkit');
      const client = path.join(folder, 'client', builder.config.paths.base);
      rmSync(folder, { recursive: true, force: true });
      builder.writeClient(client);
      builder.writePrerendered(client);
      builder.generateServerInstance(path.join(folder, 'instance.js'));
      writeFileSync(path.join(folder, 'index.js'), ENTRY);
      writeFileSync(path.join(folder, 'immutable.json'), JSON.stringify([`${builder.getAppPath()}/immutable`]));
    },
    // Assets would have to be read from dist/client, which not every function contains.
    supports: { read: () => false },
  };
}
