import { createWriteStream, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { NODE_FOLDER_MARK, writeNodeFolder } from 'appkit-build';
import { findNearestName } from 'appkit-build/problem';
import { finishSwaps } from 'appkit-build/finish-swaps';
import { listDeployHosts, loadDeployHost } from 'appkit-server/deploy';
import type { DeployHost } from 'appkit-server/deploy';
import { CommandError, WRONG_USAGE } from '../command-error.ts';
import { withoutMark } from '../env-file.ts';
import { findTool } from '../deploy/find-tool.ts';
import {
  assertNativeConfig,
  DEPLOY_LOG,
  reasonToSkip,
  removeDeployment,
  writeDeployment,
} from '../deploy/native-deployment.ts';
import { assertHostsKnowJobs } from '../deploy/jobs-hosts.ts';
import { runTool } from '../deploy/run-tool.ts';
import type { ToolResult } from '../deploy/run-tool.ts';
import { printWarning } from '../report/error.ts';
import { onStderr } from '../report/style.ts';
import { describeExported, runExport, runForeignExport } from './export.ts';
import { projectRoot } from './project-root.ts';

/** The options of `appkit deploy`, as commander reads them. */
export interface DeployFlags {
  host: string;
  prod?: boolean;
  dryRun?: boolean;
  json?: boolean;
  native?: boolean;
  out: string;
  from?: string;
}

/** What `--json` prints. */
interface DeployReport {
  host: string;
  /** The URL of the app; absent in a dry run and when the tool printed none. */
  url?: string | undefined;
  /** The folder that was written, for Node. */
  folder?: string;
  /** The commands of the host's tool that were run, and in a dry run also the one that was left out. */
  commands: string[];
  dryRun: boolean;
}

const SERVER_FILE = 'server.mjs';

/** Exports an app and deploys it with its host's tool, which receives the arguments after `--`. */
export async function deployCommand(directory: string, toolArgs: readonly string[], flags: DeployFlags): Promise<void> {
  const root = realpathSync(projectRoot(directory));
  const host = await loadDeployHost(flags.host);
  if (flags.native) return deployNative(host, { root, toolArgs, flags });
  const report = host
    ? await deploy(host, { root, toolArgs, flags })
    : await writeFolder({ root, toolArgs, flags: withKnownHost(flags) });
  if (flags.json) console.log(JSON.stringify(report));
  else if (report.dryRun && host) console.log(`Not run: ${report.commands.at(-1)}`);
  else console.log(report.url ?? report.folder ?? `Deployed. ${host?.title} did not say to which URL.`);
}

interface Deployment {
  root: string;
  toolArgs: readonly string[];
  flags: DeployFlags;
  /** A second place for everything that the tool prints. */
  log?: NodeJS.WritableStream;
}

/** Within a native build: deploys a server for this build alone, if the build's variables ask for one. */
async function deployNative(host: DeployHost | undefined, deployment: Deployment): Promise<void> {
  const { root, flags } = deployment;
  if (!host) {
    withKnownHost(flags);
    const fix = `The hosts are ${listDeployHosts().join(', ')}.`;
    throw new CommandError('A folder for Node has no URL that a native build could call.', fix, {
      exitCode: WRONG_USAGE,
    });
  }
  // The URL of an earlier build must not get into this one.
  await removeDeployment(root);
  const skipped = reasonToSkip(process.env, `npx appkit deploy --host ${flags.host}`);
  if (skipped !== undefined) return void (skipped !== '' && printWarning(skipped));
  assertNativeConfig(root);
  const file = path.join(root, DEPLOY_LOG);
  mkdirSync(path.dirname(file), { recursive: true });
  const log = createWriteStream(file);
  try {
    const { url } = await deploy(host, { ...deployment, log });
    if (url === undefined) {
      throw new CommandError(`${host.title} did not say to which URL the server is deployed.`, `See ${DEPLOY_LOG}.`);
    }
    await writeDeployment(root, url);
    console.log(`${url} is the server of this build.`);
  } finally {
    await finished(log.end());
  }
}

async function deploy(host: DeployHost, { root, toolArgs, flags, log }: Deployment): Promise<DeployReport> {
  const { prod = false, dryRun = false, native: versioned = false } = flags;
  const { tool, configFile } = host;
  assertConfigured(root, { file: configFile, host: flags.host });
  const start = findTool(tool, root);
  if (start === undefined) {
    const install = `npm install --save-dev ${tool.package}@${tool.version}`;
    const login = `npx ${tool.login}, or set ${tool.token}`;
    throw new CommandError(
      `The tool of ${host.title}, ${tool.name}, is not installed.`,
      `Run ${install}; then ${login}.`,
    );
  }
  if (host.exports === 'before') await exportQuietly(root, flags.from);
  const commands: string[] = [];
  // The user's own arguments may hold a token: they are passed on and never shown.
  const show = (args: readonly string[], added: readonly string[]): string =>
    [tool.name, ...args, ...(added.length > 0 ? ['…'] : [])].join(' ');
  const run = async (args: readonly string[], added: readonly string[] = []): Promise<ToolResult> => {
    const command = show(args, added);
    commands.push(command);
    console.error(onStderr('dim', `$ ${command}`));
    log?.write(`$ ${command}\n`);
    const printTo = flags.json ? process.stderr : process.stdout;
    const result = await runTool(start, [...args, ...added], { cwd: root, printTo, log });
    if (result.code !== 0) throw toFailure(result, { command, host });
    return result;
  };
  const build = host.build?.({ prod, versioned, dryRun });
  if (build) await run(build);
  const upload = host.upload({ prod, versioned, dryRun });
  if (upload) {
    const { stdout } = await run(upload, toolArgs);
    if (!dryRun) return { host: flags.host, url: host.findUrl(stdout), commands, dryRun };
  }
  const skipped = host.upload({ prod, versioned, dryRun: false }) ?? [];
  return { host: flags.host, commands: [...commands, show(skipped, toolArgs)], dryRun };
}

async function writeFolder({ root, toolArgs, flags }: Deployment): Promise<DeployReport> {
  const { out, dryRun = false } = flags;
  if (toolArgs.length > 0)
    throw new CommandError('For Node there is no tool that could receive arguments.', 'Leave out what is after --.', {
      exitCode: WRONG_USAGE,
    });
  const folder = path.resolve(root, out);
  assertConfigured(root, { file: SERVER_FILE, host: 'node' });
  await finishSwaps(folder); // its mark may be among the files that have not been moved yet
  assertOwnFolder(folder, root);
  const dist = await exportQuietly(root, flags.from);
  if (!dryRun) {
    const manifest = JSON.parse(withoutMark(readFileSync(path.join(root, 'package.json'), 'utf8'))) as {
      name?: unknown;
    };
    const warnings = await writeNodeFolder({ projectRoot: root, dist, entry: SERVER_FILE, to: folder, manifest });
    for (const warning of warnings) console.error(onStderr('yellow', warning));
    console.error('Start it anywhere with node server.mjs, or with its Dockerfile: docker build that folder.');
  }
  return { host: 'node', folder, commands: [], dryRun };
}

/** @throws CommandError for a host that cannot be deployed to. */
function withKnownHost(flags: DeployFlags): DeployFlags {
  if (flags.host === 'node') return flags;
  const names = [...listDeployHosts(), 'node'];
  const nearest = findNearestName(flags.host, names);
  const fix = nearest ? `Did you mean ${nearest}?` : `The hosts are ${names.join(', ')}. appkit init --list has more.`;
  throw new CommandError(`appkit cannot deploy to ${flags.host}.`, fix, { exitCode: WRONG_USAGE });
}

function assertConfigured(root: string, { file, host }: { file: string; host: string }): void {
  if (existsSync(path.join(root, file))) return;
  throw new CommandError(`${file} is missing in ${root}.`, `Run npx appkit init --host ${host}, which writes it.`);
}

/** Only a folder that an earlier deployment wrote is replaced. */
function assertOwnFolder(folder: string, root: string): void {
  const isAround = !path.relative(folder, root).startsWith('..');
  if (!isAround && (!existsSync(folder) || existsSync(path.join(folder, NODE_FOLDER_MARK)))) return;
  throw new CommandError(
    `${folder} is there already, and was not written by appkit deploy.`,
    'Name another folder with --out, or remove it.',
  );
}

/** Exports, and reports it on stderr: stdout is for the result. */
async function exportQuietly(root: string, from: string | undefined): Promise<string> {
  const result = await (from === undefined ? runExport(root, {}) : runForeignExport(root, { from }));
  for (const warning of result.warnings) printWarning(warning);
  await assertHostsKnowJobs(root, result);
  const { outputDir } = result;
  console.error(`Exported ${describeExported(result)} to ${path.relative(root, outputDir)}.`);
  return outputDir;
}

function toFailure(
  { code, signal, output }: ToolResult,
  { command, host: { title, tool } }: { command: string; host: DeployHost },
): CommandError {
  if (signal !== null) {
    return new CommandError(`${command} was ended by ${signal}.`, 'It may have done part of its work: run it again.', {
      exitCode: code,
    });
  }
  if (tool.notLoggedIn.test(output)) {
    const fix = `Run npx ${tool.login}; in a script set ${tool.token} in the environment.`;
    return new CommandError(`Not logged in to ${title}.`, fix, { exitCode: code });
  }
  return new CommandError(`${command} ended with exit code ${code}.`, 'See its output above.', { exitCode: code });
}
