import { readFileSync } from 'node:fs';
import { listDeployHosts } from 'appkit-server/deploy';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { DeployFlags } from './commands/deploy.ts';
import type { ExportFlags } from './commands/export.ts';
import type { InitFlags } from './commands/init.ts';
import type { JobsFlags } from './commands/jobs.ts';
import type { RoutesFlags } from './commands/routes.ts';
import type { ServeFlags } from './commands/serve.ts';
import type { StartFlags } from './commands/start.ts';
import type { WorkFlags } from './commands/work.ts';
import { CommandError, WRONG_USAGE } from './command-error.ts';
import { printError } from './report/error.ts';

const FAILURE = 1;
/** The longest time a timer can wait: its milliseconds are a signed 32-bit number. */
const MAX_SECONDS = 2_147_483;
/** More than the cores of any machine: a port given as the number of workers must not start that many processes. */
const MAX_WORKERS = 1024;

/**
 * Runs the command line.
 *
 * @param args – the arguments after `appkit`.
 * @returns the exit code: 0 for success, 1 when the work failed, 2 when the arguments were wrong, and the code that a
 * shell expects of a command stopped by a signal. Never rejects.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { own, forTool } = splitForTool(args);
  const program = createProgram(forTool);
  try {
    await program.parseAsync(own, { from: 'user' });
    return Number(process.exitCode ?? 0); // set by a command that prints its own errors
  } catch (error) {
    // Commander has already printed its own message. --help and --version end with code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
    printError(error, { verbose: args.includes('--verbose') });
    return error instanceof CommandError ? error.exitCode : FAILURE;
  }
}

// Each command's module is imported when the command runs: --help and a typo should not load a bundler.
function createProgram(forTool: readonly string[]): Command {
  const program = new Command('appkit')
    .description('Exports an app directory of route files, and serves the result.')
    .version(ownVersion(), '-v, --version', 'Print the version of appkit.')
    .helpOption('-h, --help', 'Print help.')
    .helpCommand(false)
    .option('--verbose', 'Print the stack of an error.')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(run with --help for the options)')
    .exitOverride();

  addStart(program);
  addExport(program);
  addServe(program);
  addWork(program);
  addJobs(program);
  addRoutes(program);
  addInit(program);
  addScheme(program);
  addDeploy(program, forTool);
  addForeign(program);
  return program;
}

function addStart(program: Command): void {
  program
    .command('start')
    .description('Run the app for development: serve the saved files, without an export.')
    .argument('[dir]', 'Folder of the app.', '.')
    .addOption(createPortOption())
    .addOption(
      new Option(
        '--host <name>',
        'Name or address to listen on, 0.0.0.0 for the whole network (default: localhost). bun, cloudflare or deno: run the ' +
          'routes there. May be given twice.',
      ).argParser((value: string, before: readonly string[] = []) => [...before, value]),
    )
    .option(
      '--env-file <path>',
      'Read environment variables from this file, which Node also looks for, with precedence over .env files.',
    )
    .option('--open', 'Open the app in the browser.')
    .option('--https', 'Use HTTPS, with a self-signed certificate for localhost.')
    .option('--cert <path>', 'Use HTTPS with this certificate, a PEM file.')
    .option('--key <path>', 'The key of the certificate, a PEM file.')
    .option('--quiet', 'Print no line per request.')
    .option('--from <framework>', 'Start the development server of this framework, behind one of appkit.')
    .action(async (directory: string, flags: StartFlags) => {
      const { startCommand } = await import('./commands/start.ts');
      await startCommand(directory, flags);
    });
}

function addExport(program: Command): void {
  program
    .command('export')
    .description('Write the app to dist/: static files to client, routes to server.')
    .argument('[dir]', 'Folder of the app.', '.')
    .addOption(new Option('-p, --platform <name>', 'What to export for.').choices(['web']).default('web'))
    .option(
      '--from <name>',
      'Export the finished build of another framework, by its name or folder, or a module that exports fetch.',
    )
    .option(
      '--conditions <names...>',
      'With --from, prefer these conditions in the exports of packages, such as workerd.',
    )
    .option('--output-dir <dir>', 'Where to write, relative to the app.', 'dist')
    .option('--no-ssg', 'Write the routes only, without the static site.')
    .option('--no-minify', 'Do not minify the code of the routes.')
    .option('--dev', 'Export for development.')
    .option('-c, --clear', 'Empty the output folder and the cache of earlier exports first.')
    .addOption(
      new Option(
        '--openapi [place]',
        'Describe the routes by their contracts in openapi.json, in dist, or in client, where hosts serve it.',
      )
        .choices(['dist', 'client'])
        .preset('dist'),
    )
    .addOption(
      new Option('-s, --source-maps [mode]', 'How to write source maps (default: external).')
        .choices(['true', 'false', 'inline', 'external'])
        .preset('true'),
    )
    .action(async (directory: string, flags: ExportFlags) => {
      const { exportCommand } = await import('./commands/export.ts');
      await exportCommand(directory, flags);
    });
}

function addServe(program: Command): void {
  program
    .command('serve')
    .description('Serve an exported app as production would: its static files first, then its routes.')
    .argument('[dir]', 'Folder of the app, or of its export.', '.')
    .option('--output-dir <dir>', 'Where the export is, relative to the app.', 'dist')
    .addOption(createPortOption())
    .option('--host <name>', 'Name or address to listen on; 0.0.0.0 for the whole network.', 'localhost')
    .option(
      '--env-file <path>',
      'Read environment variables from this file, which Node also looks for. Without it, no .env is read.',
    )
    .option(
      '--shutdown-timeout <seconds>',
      'How long running requests and tasks may take on SIGTERM.',
      parseSeconds,
      10,
    )
    .option(
      '--workers <number>',
      'Serve with this number of processes on one port, or auto for one per core. A process that dies is replaced.',
      parseWorkers,
    )
    .option('--no-work', 'Run no jobs: `appkit work` does.')
    .action(async (directory: string, flags: ServeFlags) => {
      const { serveCommand } = await import('./commands/serve.ts');
      await serveCommand(directory, flags);
    });
}

function addWork(program: Command): void {
  program
    .command('work')
    .description('Run the jobs of an exported app, and answer no requests.')
    .argument('[dir]', 'Folder of the app, or of its export.', '.')
    .option('--output-dir <dir>', 'Where the export is, relative to the app.', 'dist')
    .option(
      '--env-file <path>',
      'Read environment variables from this file, which Node also looks for. Without it, no .env is read.',
    )
    .option('--shutdown-timeout <seconds>', 'How long running jobs may take on SIGTERM.', parseSeconds, 10)
    .action(async (directory: string, flags: WorkFlags) => {
      const { workCommand } = await import('./commands/work.ts');
      await workCommand(directory, flags);
    });
}

function addJobs(program: Command): void {
  const jobs = program.command('jobs').description('List, show, retry or discard the stored jobs of an app.');
  const add = (usage: string, description: string): Command =>
    jobs
      .command(usage)
      .description(description)
      .option('--dir <dir>', 'Folder of the app, or of its export.', '.')
      .option(
        '--env-file <path>',
        'Read environment variables from this file, which Node also looks for. Without it, no .env is read.',
      );
  add('list', 'List jobs, the latest first.')
    .addOption(new Option('--state <name>', 'Only jobs in this state.').choices(['waiting', 'running', 'done', 'dead']))
    .option('--limit <number>', 'The maximum number of jobs.', parseCount, 100)
    .option('--json', 'Print JSON.')
    .action(async (flags: JobsFlags) => (await import('./commands/jobs.ts')).listJobsCommand(flags));
  add('show <id>', 'Show everything that is known about a job, with the error of its last attempt.').action(
    async (id: string, flags: JobsFlags) => (await import('./commands/jobs.ts')).showJobCommand(id, flags),
  );
  add('retry <id>', 'Run a dead or waiting job at once, with all its attempts again.').action(
    async (id: string, flags: JobsFlags) => (await import('./commands/jobs.ts')).retryJobCommand(id, flags),
  );
  add('discard <id>', 'Forget a job that is not running.').action(async (id: string, flags: JobsFlags) =>
    (await import('./commands/jobs.ts')).discardJobCommand(id, flags),
  );
}

function addRoutes(program: Command): void {
  program
    .command('routes')
    .description('List the routes of an app.')
    .argument('[dir]', 'Folder of the app.', '.')
    .option('--json', 'Print JSON.')
    .action(async (directory: string, flags: RoutesFlags) => {
      const { routesCommand } = await import('./commands/routes.ts');
      await routesCommand(directory, flags);
    });
}

function addInit(program: Command): void {
  program
    .command('init')
    .description('Create a new app, or with --host write the files for a host, and say what to do next.')
    .argument('[dir]', 'Folder of the app; a new one is made.', '.')
    .addOption(
      new Option('--full', 'Create an app with pages, routes and middleware (default).').conflicts(['minimal', 'host']),
    )
    .addOption(new Option('--minimal', 'Create an app with server routes only.').conflicts('host'))
    .option('--host <name>', 'Write the files for this host; --list names them.')
    .addOption(
      new Option('--from <name>', 'With --host, for what `appkit export --from` exports.').conflicts([
        'minimal',
        'full',
      ]),
    )
    .option('--list', 'List the hosts, and write nothing.')
    .option('--force', 'Replace files that exist and differ.')
    .action(async (directory: string, flags: InitFlags) => {
      const { initCommand } = await import('./commands/init.ts');
      await initCommand(directory, flags);
    });
}

// The package parses its own arguments and prints its own help and errors, exactly as `uri-scheme` does.
function addScheme(program: Command): void {
  program
    .command('scheme')
    .description('Add, remove, list or open the URI schemes of an iOS and Android app.')
    .argument('[arguments...]')
    .usage('<add|remove|list|open> [options]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: string[]) => {
      const { schemeCommand } = await import('./commands/scheme.ts');
      await schemeCommand(args);
    });
}

/** Arguments of `appkit deploy` after `--` are passed to the host's tool. */
function splitForTool(args: readonly string[]): { own: readonly string[]; forTool: readonly string[] } {
  const end = args[0] === 'deploy' ? args.indexOf('--') : -1;
  return end === -1 ? { own: args, forTool: [] } : { own: args.slice(0, end), forTool: args.slice(end + 1) };
}

function addDeploy(program: Command, forTool: readonly string[]): void {
  program
    .command('deploy')
    .description("Export the app and deploy it with its host's own tool; for node, write a folder that runs anywhere.")
    .argument('[dir]', 'Folder of the app.', '.')
    .usage('[options] [dir] [-- <arguments for the tool of the host>]')
    .requiredOption('--host <name>', `${listDeployHosts().join(', ')} or node.`)
    .option('--prod', 'Deploy to production; without it, a preview where the host has previews.')
    .option('--dry-run', 'Do everything except the upload, without network.')
    .option('--json', 'Print one JSON object to standard output, and everything else to standard error.')
    .addOption(
      new Option(
        '--native',
        'Within a native build: deploy a server just for it, if APPKIT_UNSTABLE_DEPLOY_SERVER=1.',
      ).conflicts(['prod', 'dryRun', 'json']),
    )
    .option('--from <name>', 'Deploy what `appkit export --from` exports. Build it first.')
    .option('--out <dir>', 'For node: where to write, relative to the app.', 'dist-node')
    .action(async (directory: string, flags: DeployFlags) => {
      const { deployCommand } = await import('./commands/deploy.ts');
      await deployCommand(directory, forTool, flags);
    });
}

/** Platforms that run a server set this variable. */
function createPortOption(): Option {
  return new Option('--port <number>', 'Port to listen on; 0 takes any (default: 8081, or the next free one).')
    .env('PORT')
    .argParser(parsePort);
}

/** Names the matching commands for those of other tools. */
function addForeign(program: Command): void {
  for (const [name, fix] of [
    ['dev', 'Run `appkit start` to develop the app.'],
    ['build', 'Run `appkit export` to write the app to dist.'],
  ] as const) {
    program
      .command(name, { hidden: true })
      .argument('[arguments...]')
      .allowUnknownOption()
      .helpOption(false)
      .action(() => {
        throw new CommandError(`There is no command ${name}.`, fix, { exitCode: WRONG_USAGE });
      });
  }
}

function parsePort(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return Number(text);
}

function parseSeconds(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('Give a number of seconds, such as 10 or 0.5.');
  // Node shortens a longer timeout to one millisecond.
  if (Number(text) > MAX_SECONDS) throw new InvalidArgumentError(`The most is ${MAX_SECONDS} seconds, over 24 days.`);
  return Number(text);
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('Give a number from 1 to 999999.');
  return Number(text);
}

function parseWorkers(text: string): number | 'auto' {
  if (text === 'auto') return text;
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > MAX_WORKERS) {
    throw new InvalidArgumentError(`Give a number from 1 to ${MAX_WORKERS}, or auto for one per core.`);
  }
  return Number(text);
}

function ownVersion(): string {
  // One level up from lib/, where this file is compiled to.
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return String((manifest as { version: unknown }).version); // our own file, shipped with this one
}
