import { CommandError, WRONG_USAGE } from '../../command-error.ts';
import { DEV_HOSTS } from './host-runner.ts';
import type { DevHostName } from './host-runner.ts';

/**
 * Reads the values of `--host`: where the routes run, and the name or address to listen on.
 *
 * @throws CommandError when either is given twice.
 */
export function splitHosts(values: readonly string[]): { host: string; devHost?: DevHostName } {
  const devHosts = DEV_HOSTS.filter((name) => values.includes(name));
  const hosts = values.filter((value) => !(DEV_HOSTS as readonly string[]).includes(value));
  if (devHosts.length > 1 || hosts.length > 1) {
    throw new CommandError(
      `--host ${values.join(' --host ')} names too much.`,
      `Give one of ${DEV_HOSTS.join(', ')} at most, and one name or address to listen on.`,
      { exitCode: WRONG_USAGE },
    );
  }
  const [devHost] = devHosts;
  return { host: hosts[0] ?? 'localhost', ...(devHost && { devHost }) };
}
