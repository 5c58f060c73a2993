import { readFile } from 'node:fs/promises';

/** A host, and how the example's README tells a user to run the example there. */
export interface ReadmeHost {
  name: string;
  /** Commands that prepare it. */
  steps: Command[];
  /** The command that starts the server. */
  start: Command;
}

type Command = readonly [string, ...string[]];

/**
 * Reads the table under "Host it".
 *
 * @throws Error when this table is missing: the check would check nothing.
 */
export async function readHosts(readmeFile: string): Promise<ReadmeHost[]> {
  const [, section = ''] = (await readFile(readmeFile, 'utf8')).split('\n## Host it\n');
  const hosts = [...section.matchAll(/^\| *(\w+) *\| *`(.+)` *\|$/gm)].map(([, name = '', line = '']) => {
    const commands = line.split(' && ').map((command) => command.split(' ') as [string, ...string[]]); // split gives one at least
    const start = commands.at(-1) ?? [''];
    return { name, steps: commands.slice(0, -1), start };
  });
  if (hosts.length === 0)
    throw new Error(`${readmeFile}: the table of hosts and commands under "## Host it" is missing. Add one.`);
  return hosts;
}
