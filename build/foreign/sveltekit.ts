import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What the adapter uses of SvelteKit's builder, so that nobody needs SvelteKit to install this package. */
export interface SvelteKitBuilder {
  config: { paths: { base: string } };
  /** The folder of `_app` in the build, with the base of the paths. */
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
 * `event.platform` is what the host gives, and `event.getClientAddress()` the address that `trustProxy` allows to believe.
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
    // Assets would have to be read from dist/client, which is not part of every function.
    supports: { read: () => false },
  };
}
