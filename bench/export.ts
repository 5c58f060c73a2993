import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atMost, toTable } from './section.ts';
import type { Section } from './section.ts';
import { timeCommand } from './time-command.ts';

/** The export of many routes that share a validation library, next to the bundler alone over the same files. */
export async function measureExport(): Promise<Section> {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-bench-export-'));
  try {
    const measure = async (what: string, count: number, command: Command): Promise<Run> => {
      const app = path.join(folder, `app-${count}`);
      if (!existsSync(app)) await writeApp(app, count);
      const run = { what, count, ...(await timeCommand(command(app))) };
      console.error(`export: ${what}, ${count} routes`);
      return run;
    };
    const small = await measure('appkit export', 100, exportApp);
    const thousand = await measure('appkit export', 1000, exportApp);
    const large = await measure('appkit export', 2000, exportApp);
    const alone = await measure('rolldown, one file a route', 1000, bundleApp('alone'));
    const shared = await measure('rolldown once, shared chunks', 1000, bundleApp('shared'));
    const text = `The routes import zod. An export bundles them together: one file per route, and one with zod that all of them share.
\`rolldown, one file a route\` runs the bundler alone, once for each route. \`rolldown once, shared chunks\` runs it once for
all routes, with as little of our own code as possible.

${toTable(
  ['what', 'routes', 'seconds', 'ms a route', 'peak MiB'],
  [small, thousand, large, alone, shared].map((run) => [
    run.what,
    String(run.count),
    run.seconds.toFixed(1),
    perRoute(run).toFixed(1),
    run.mebibytes.toFixed(0),
  ]),
)}`;
    const goals = [
      atMost('export of 1,000 routes: of rolldown, one file a route', thousand.seconds / alone.seconds, { limit: 1.5 }),
      atMost('export of 1,000 routes: of rolldown once, shared chunks', thousand.seconds / shared.seconds, {
        limit: 1.5,
      }),
      atMost('export of 1,000 routes: peak memory', thousand.mebibytes, { limit: 1536, unit: ' MiB' }),
      atMost('export, cost of a route at 2,000: of at 100', perRoute(large) / perRoute(small), { limit: 1.1 }),
    ];
    return { title: 'Export', text, goals };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the commands to run for the app in a folder. */
type Command = (app: string) => readonly [string, ...string[]];

const exportApp: Command = (app) => ['appkit', 'export', '-p', 'web', app];

function bundleApp(mode: 'alone' | 'shared'): Command {
  return (app) => [process.execPath, 'bundle-once.mjs', app, mode];
}

interface Run {
  what: string;
  count: number;
  seconds: number;
  mebibytes: number;
}

function perRoute({ seconds, count }: Run): number {
  return (seconds / count) * 1000;
}

async function writeApp(folder: string, count: number): Promise<void> {
  await mkdir(path.join(folder, 'app'), { recursive: true });
  await cp(path.join(import.meta.dirname, 'app/app.json'), path.join(folder, 'app.json'));
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
  await symlink(path.join(import.meta.dirname, 'node_modules'), path.join(folder, 'node_modules'));
  for (let index = 0; index < count; index++) {
    const code = `import { z } from 'zod';
const Input = z.object({ id: z.number(), name${index}: z.string() });
export async function POST(request: Request): Promise<Response> {
  return Response.json(Input.parse(await request.json()));
}
`;
    await writeFile(path.join(folder, `app/route${index}+api.ts`), code);
  }
}
