import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { packPackages } from './pack.ts';
import { createProject } from './project.ts';
import { npmCommand, runCommand } from './run-command.ts';

// npm start [-- example]: an example as a user would have it, built and started by its own scripts. Expects compiled
// packages.

const REPOSITORY = path.resolve(import.meta.dirname, '..');
const EXAMPLES = path.join(REPOSITORY, 'examples');
const CACHE = path.join(REPOSITORY, '.cache');

const [example = 'hello'] = process.argv.slice(2);
const examples = await readdir(EXAMPLES);
if (examples.includes(example)) {
  const project = path.join(CACHE, example);
  await prepare(example, project);
  process.exitCode = await serve(project);
} else {
  console.error(`error: unknown example ${example}.\n  Choose one of: ${examples.join(', ')}.`);
  process.exitCode = 2;
}

async function prepare(name: string, project: string): Promise<void> {
  console.log('Packing the packages …');
  const tarballs = await packPackages(path.join(CACHE, 'packages'));
  console.log(`Installing examples/${name} with them in .cache/${name} …`);
  await createProject({ from: path.join(EXAMPLES, name), into: project, tarballs, omitDev: false });
  console.log('Building it …');
  console.log(await runCommand([...npmCommand(), 'run', '--silent', 'build'], { cwd: project }));
}

async function serve(project: string): Promise<number> {
  const [file, ...args] = await startCommand(project);
  const bin = [path.join(project, 'node_modules/.bin'), path.dirname(process.execPath), process.env['PATH']];
  const server = spawn(file, args, {
    cwd: project,
    // A process group of its own: otherwise Ctrl-C would reach the server twice, from the terminal and from us, and
    // twice means at once.
    detached: true,
    env: { ...process.env, PATH: bin.join(path.delimiter) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  }

  // The shell between npm and us ends on SIGTERM without passing it on. Then nothing else would stop the server.
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || server.kill('SIGTERM'), 1000).unref();

  const exited = new Promise<number>((resolve) => server.once('close', (code) => resolve(code ?? 1)));
  for await (const line of createInterface(server.stdout)) {
    console.log(line);
    const url = / at (http\S+)$/.exec(line)?.[1];
    if (url) console.log(await invitation(project, url));
  }
  return await exited;
}

async function invitation(project: string, url: string): Promise<string> {
  const routes = await readRoutes(project);
  const simple = routes.filter(({ pattern, methods }) => methods.includes('GET') && !pattern.includes('['));
  const first = simple.find(({ pattern }) => pattern === '/todos') ?? simple[0];
  return [
    '',
    `  Open  ${url}`,
    ...(first ? [`  Try   curl ${url}${first.pattern}`] : []),
    `  Code  ${path.relative('', project)}`,
    '',
    'Ctrl-C stops it.',
  ].join('\n');
}

/** The routes that the export has written; none for a site without routes. */
async function readRoutes(project: string): Promise<{ pattern: string; methods: string[] }[]> {
  const file = path.join(project, 'dist/server/_appkit/routes.json');
  if (!existsSync(file)) return [];
  return (JSON.parse(await readFile(file, 'utf8')) as { routes: { pattern: string; methods: string[] }[] }).routes; // just written
}

/**
 * The script `start` of the example: one plain command, so that signals reach it directly, without npm or a shell in
 * between.
 */
async function startCommand(project: string): Promise<[string, ...string[]]> {
  const manifest = await readFile(path.join(project, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts?: { start?: string } }; // npm has just read it
  const command = scripts?.start ?? '';
  if (!/^[\w./-]+(?: [\w./-]+)*$/.test(command))
    throw new Error(`The script "start" in package.json is "${command}". Make it one command, without quotes or &&.`);
  return command.split(' ') as [string, ...string[]]; // split gives one at least
}
