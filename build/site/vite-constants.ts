import { forProduction } from '../pages/for-production.ts';
import { toConfigError } from './config-error.ts';
import { findMissingForSite, loadVite } from './load-vite.ts';

/**
 * Reads the constants that the app's `vite.config` defines for code on the server, with the code that stands for each.
 * As in development, an app without the packages of a site has nothing of Vite.
 *
 * @throws ExportError when the config cannot be loaded.
 */
export async function readConstants(projectRoot: string): Promise<Record<string, string>> {
  if (findMissingForSite(projectRoot).length > 0) return {};
  const vite = await loadVite(projectRoot);
  const reading = forProduction(() =>
    vite.resolveConfig(
      {
        root: projectRoot,
        mode: 'production',
        envDir: false,
        customLogger: vite.createLogger('silent'),
        environments: { ssr: {} },
      },
      'build',
    ),
  );
  const config = await reading.catch((error: unknown) => {
    throw toConfigError(error, projectRoot);
  });
  return toConstants(config.environments['ssr']?.define);
}

/**
 * Whether a name stands for all variables of the process, which some apps define for packages in the browser: on the server
 * it has them.
 */
export function isEnvironment(name: string): boolean {
  return /^(?:(?:globalThis|global)\.)?process(?:\.env)?$/.test(name);
}

/**
 * Writes values as Vite does: a string is code already. The whole of `process.env` is left out, otherwise routes would
 * have the variables of the machine that builds, if any.
 */
export function toConstants(define: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(define)
      .filter(([name]) => !isEnvironment(name))
      .map(([name, value]) => [name, toCode(value)]),
  );
}

function toCode(value: unknown): string {
  if (typeof value === 'string') return value;
  // The value of a variable that is not set has no JSON.
  return (JSON.stringify(value) as string | undefined) ?? 'undefined';
}
