import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import type { Platform } from './find-project.ts';
import { UriSchemeError } from './uri-scheme-error.ts';

/** One of the commands. */
export type CommandName = 'add' | 'remove' | 'list' | 'open';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The options of the commands, with their texts for `--help`. */
interface Command {
  summary: string;
  /** The arguments, by name; those in brackets may be left out. */
  positionals: string[];
  options: Record<string, { short?: string; value?: string; help: string }>;
}

const PLATFORMS = {
  ios: { short: 'i', help: 'iOS only. Without -i and -a: all files, the app config included.' },
  android: { short: 'a', help: 'Of Android only.' },
};
const PATHS = {
  'info-path': { value: 'path', help: "The Info.plist, relative to the app. Default: that of the app's target." },
  'manifest-path': {
    value: 'path',
    help: 'The AndroidManifest.xml, relative to the app. Default: that in app/src/main.',
  },
};
const DRY_RUN = { 'dry-run': { help: 'Print the change as a diff, and write nothing.' } };
const JSON_OUTPUT = { json: { help: 'Print JSON, errors too.' } };

const COMMANDS: Record<CommandName, Command> = {
  add: {
    summary: 'Add a scheme to Info.plist, AndroidManifest.xml and app.json.',
    positionals: ['<scheme>', '[dir]'],
    options: {
      ...PLATFORMS,
      name: { short: 'n', value: 'text', help: 'iOS: the name of the URL type (CFBundleURLName).' },
      role: { short: 'r', value: 'role', help: 'iOS: Editor, Viewer, Shell or None (CFBundleTypeRole).' },
      ...PATHS,
      ...DRY_RUN,
      ...JSON_OUTPUT,
    },
  },
  remove: {
    summary: 'Remove a scheme from these files, and entries that contained nothing else.',
    positionals: ['<scheme>', '[dir]'],
    options: { ...PLATFORMS, ...PATHS, ...DRY_RUN, ...JSON_OUTPUT },
  },
  list: {
    summary: 'List the schemes, with file and line.',
    positionals: ['[dir]'],
    options: { ...PLATFORMS, ...PATHS, ...JSON_OUTPUT },
  },
  open: {
    summary: 'Open a URI on a simulator (-i) or on a device or emulator (-a).',
    positionals: ['<uri>'],
    options: {
      ios: { short: 'i', help: 'On the iOS simulator, with xcrun simctl.' },
      android: { short: 'a', help: 'On an Android device or emulator, with adb.' },
      device: { value: 'name', help: 'Which one, as simctl or adb names it. Default: the running one.' },
      package: { value: 'name', help: 'Android: the application that must open it, such as com.example.app.' },
      ...JSON_OUTPUT,
    },
  },
};

/** What a command line says. */
export interface Arguments {
  command: CommandName;
  positionals: string[];
  platforms: Platform[];
  flags: Record<string, string | boolean | undefined>;
}

/**
 * Reads the arguments of a command.
 *
 * @param program – the name of the program in help and errors.
 * @throws UriSchemeError with code ERR_USAGE when they are wrong.
 */
export function parseArguments([name = '', ...args]: readonly string[], program: string): Arguments {
  const command = commandOf(name, program);
  const { options, positionals: expected } = COMMANDS[command];
  const known = Object.entries(options).map(([name, { short, value }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) },
  ]);
  const fix = `Run with --help for the options: ${program} ${command} --help`;
  const parsed = ((): ReturnType<typeof parseArgs> => {
    try {
      return parseArgs({ args, options: Object.fromEntries(known) as Options, allowPositionals: true }); // as built above
    } catch (cause) {
      const [message = ''] = (cause as Error).message.split(/\. |\n/); // parseArgs throws only errors
      throw new UriSchemeError('ERR_USAGE', `${message.replace(/\.$/, '')}.`, { fix, cause });
    }
  })();
  const { positionals } = parsed;
  const missing = expected.slice(positionals.length).find((name) => name.startsWith('<'));
  if (missing !== undefined)
    throw new UriSchemeError('ERR_USAGE', `${program} ${command}: ${missing} is missing.`, { fix });
  if (positionals.length > expected.length) {
    const message = `${program} ${command}: ${JSON.stringify(positionals[expected.length])} is one argument too many.`;
    throw new UriSchemeError('ERR_USAGE', message, { fix });
  }
  // No option here may be given more than once, so no value is an array.
  const flags = parsed.values as Arguments['flags'];
  const platforms = (['ios', 'android'] as const).filter((platform) => flags[platform]);
  if (command === 'open' && platforms.length !== 1) {
    throw new UriSchemeError('ERR_USAGE', `${program} open: say where, with one of -i and -a.`, { fix });
  }
  return { command, positionals, platforms, flags };
}

/** The output of `--help`, for one command or for all. */
export function helpText(program: string, name?: string): string {
  if (name === undefined || !isCommand(name)) {
    const rows = Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]);
    return [
      `Usage: ${program} <command> [options]`,
      'Manages the URI schemes by which links open an iOS or Android app.',
      `Commands:\n${toTable(rows)}`,
      `Options of a command: ${program} <command> --help`,
    ].join('\n\n');
  }
  const { summary, positionals, options } = COMMANDS[name];
  const rows = Object.entries(options).map(([long, { short, value, help }]) => [
    `${short === undefined ? '    ' : `-${short}, `}--${long}${value === undefined ? '' : ` <${value}>`}`,
    help,
  ]);
  return [
    `Usage: ${program} ${name} ${positionals.join(' ')} [options]`,
    summary,
    `Options:\n${toTable([...rows, ['-h, --help', 'Print help.']])}`,
  ].join('\n\n');
}

function commandOf(name: string, program: string): CommandName {
  if (isCommand(name)) return name;
  const fix = `The commands are ${Object.keys(COMMANDS).join(', ')}: ${program} --help`;
  const message = name === '' ? 'There is no command.' : `There is no command ${JSON.stringify(name)}.`;
  throw new UriSchemeError('ERR_USAGE', message, { fix });
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

function toTable(rows: string[][]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${second}`).join('\n');
}
