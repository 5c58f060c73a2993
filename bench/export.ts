import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atMost, toTable } from './section.ts';
import type { Section } from './section.ts';

/** The export of many routes that share a validation library, beside one run of the bundler over the same files. */
export async function measureExport(): Promise<Section> {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-bench-export-'));
  try {
    const counts = [100, 1000, 3000];
    const runs: { count: number; seconds: number; mebibytes: number }[] = [];
    for (const count of counts) {
      const app = await writeApp(path.join(folder, `app-${count}`), count);
      runs.push({ count, ...(await timeCommand(['appkit', 'export', '-p', 'web', app])) });
      console.error(`export: ${count} routes`);
    }
    const bundler = await timeCommand([process.execPath, 'bundle-once.mjs', path.join(folder, 'app-1000')]);
    const [small, thousand, large] = runs as [Run, Run, Run]; // one for each count
    const perRoute = (run: Run): number => (run.seconds / run.count) * 1000;
    const text = `Routes that import zod, by \`appkit export\`; beside it rolldown once over the same 1,000 files, with shared chunks.

${toTable(
  ['what', 'seconds', 'ms a route', 'peak MiB'],
  [
    ...runs.map((run) => [
      `${run.count} routes`,
      run.seconds.toFixed(1),
      perRoute(run).toFixed(1),
      run.mebibytes.toFixed(0),
    ]),
    ['rolldown, 1000 entries', bundler.seconds.toFixed(1), bundler.seconds.toFixed(1), bundler.mebibytes.toFixed(0)],
  ],
)}`;
    const goals = [
      atMost('export of 1,000 routes: of one run of the bundler', thousand.seconds / bundler.seconds, { limit: 1.5 }),
      atMost('export of 1,000 routes: peak memory', thousand.mebibytes, { limit: 1536, unit: ' MiB' }),
      atMost('export, cost of a route at 3,000: of at 100', perRoute(large) / perRoute(small), { limit: 1.1 }),
    ];
    return { title: 'Export', text, goals };
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Run {
  count: number;
  seconds: number;
  mebibytes: number;
}

async function writeApp(folder: string, count: number): Promise<string> {
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
  return folder;
}

async function timeCommand([file, ...args]: readonly [string, ...string[]]): Promise<{
  seconds: number;
  mebibytes: number;
}> {
  const start = performance.now();
  const child = spawn(file, args, { cwd: import.meta.dirname, stdio: ['ignore', 'ignore', 'inherit'] });
  let mebibytes = NaN;
  // The peak so far, as the system keeps it (proc(5), VmHWM).
  const watch = setInterval(() => {
    readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => (mebibytes = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? mebibytes * 1024) / 1024),
      () => undefined,
    );
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with code ${code}.`);
  return { seconds: (performance.now() - start) / 1000, mebibytes };
}
