import type { IncomingMessage } from 'node:http';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { NEVER_SERVED } from 'appkit-build/development';
import type { DevEnvironment, Plugin } from 'vite';
import type { LoadedVite } from './load-vite.ts';
import { VITE_BASE } from './vite-base.ts';

/** The settings of the pages in the browser. Vite 8.4 has the files that are allowed there. */
type ClientConfig = DevEnvironment['config'];

/** Files that are never served: those that an export refuses, and code that Vite would send uncompiled. */
export const NEVER_SHOWN: readonly string[] = [...NEVER_SERVED, '*.cts'];

/**
 * Keeps Vite from reading files for the browser that are outside of the project or in {@link NEVER_SHOWN}, whichever
 * URL or plugin asks for them. A file that a module of the app imports from elsewhere is served: Vite records such
 * imports.
 */
export function createAccessPlugin({ vite }: LoadedVite): Plugin {
  return {
    name: 'appkit:access',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.config.consumer === 'client',
    load: {
      order: 'pre',
      handler(id) {
        const { config } = this.environment;
        const file = id.replace(/[?#].*$/s, '');
        if (path.isAbsolute(file) && !isServed(file, { vite, config })) {
          throw new Error(
            `${path.relative(config.root, file)} is not served to a browser: it is outside of the project, or may be secret.`,
          );
        }
        return null;
      },
    },
  };
}

/**
 * Whether a request for a URL of Vite is refused: for a file that is never served, or from another site for an editor.
 */
export function isRefused(
  { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  { vite, config }: { vite: LoadedVite['vite']; config: ClientConfig },
): boolean {
  const name = decode(url.slice(VITE_BASE.length).replace(/[?#].*$/s, ''));
  if (name === undefined) return true;
  // Vite's server accepts it in any letter case.
  if (name.toLowerCase().startsWith('__open-in-editor')) return headers['sec-fetch-site'] !== 'same-origin';
  const file = name.startsWith('@fs/') ? path.resolve('/', name.slice('@fs/'.length)) : path.join(config.root, name);
  return !isServed(file, { vite, config });
}

/** Both a link and its target are checked. A missing file is not refused: Vite answers 404. */
function isServed(file: string, { vite, config }: { vite: LoadedVite['vite']; config: ClientConfig }): boolean {
  let real: string;
  try {
    real = realpathSync(file);
  } catch {
    return true;
  }
  return [file, real].every((one) => vite.isFileLoadingAllowed(config, vite.normalizePath(one)));
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
