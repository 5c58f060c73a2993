import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../command-error.ts';
import { withoutMark } from '../env-file.ts';

/** The log of the tool that deploys a native build's server, relative to the app. */
export const DEPLOY_LOG = '.expo/logs/deploy.log';

/** Where the bundle of that build learns the URL, relative to the app. `withAppkit` of `appkit-build/metro` reads it. */
export const DEPLOYMENT_FILE = '.appkit/deployment.json';

const DYNAMIC_CONFIGS = ['ts', 'js', 'mjs', 'cjs', 'mts', 'cts'].map((extension) => `app.config.${extension}`);

/**
 * Says why a native build does not get its own server.
 *
 * @param env – the variables of the build.
 * @returns the reason, empty when no server was asked for; undefined when one is to be deployed.
 */
export function reasonToSkip(env: NodeJS.ProcessEnv, command: string): string | undefined {
  if (isSet(env['APPKIT_NO_DEPLOY'])) return 'No server is deployed: APPKIT_NO_DEPLOY is set.';
  if (!isSet(env['APPKIT_UNSTABLE_DEPLOY_SERVER'])) return '';
  if (!isSet(env['APPKIT_OFFLINE'])) return undefined;
  return `No server is deployed: APPKIT_OFFLINE is set. When you are online, run ${command}, and set origin to its URL.`;
}

/** @throws CommandError when the app's config leaves no place for the URL of a deployment. */
export function assertNativeConfig(root: string): void {
  const fix = 'Deploy the server by hand, set origin to its URL, and build with APPKIT_NO_DEPLOY=1.';
  const dynamic = DYNAMIC_CONFIGS.find((file) => existsSync(path.join(root, file)));
  if (dynamic !== undefined) {
    throw new CommandError(
      `The server of a native build cannot be deployed with ${dynamic}: a config that is code is not read here.`,
      fix,
    );
  }
  const origin = readOrigin(path.join(root, 'app.json'));
  if (origin === undefined) return;
  throw new CommandError(
    `app.json has extra.router.origin, ${JSON.stringify(origin)}, which names another server than the one to be deployed.`,
    'Remove it, or build with APPKIT_NO_DEPLOY=1.',
  );
}

/** Writes the URL of the server for the build. */
export async function writeDeployment(root: string, url: string): Promise<void> {
  const file = path.join(root, DEPLOYMENT_FILE);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ origin: new URL(url).origin })}\n`);
}

/** Removes the URL of an earlier build. */
export async function removeDeployment(root: string): Promise<void> {
  await rm(path.join(root, DEPLOYMENT_FILE), { force: true });
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}

function readOrigin(file: string): unknown {
  if (!existsSync(file)) return undefined;
  let config: { expo?: object; extra?: unknown };
  try {
    config = JSON.parse(withoutMark(readFileSync(file, 'utf8'))) as typeof config;
  } catch (error) {
    throw new CommandError(`app.json is not valid JSON: ${String(error)}.`, 'Correct the syntax.', { cause: error });
  }
  const { extra } = Object(config.expo ?? config) as { extra?: { router?: { origin?: unknown } } };
  return extra?.router?.origin;
}
