/**
 * Part of `npm run build`: bundles each entry of appkit-server into one file, or into a few with the files it shares.
 * Node loads one file in the time of the disk, and thirty in that of a first answer: 4 ms instead of 20.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { replaceFiles } from './replace-files.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '..');
const LIB = path.join(REPOSITORY, 'runtime/lib');

/** The engines for jobs. */
const JOBS = [
  'adapters/_jobs/index.ts',
  'adapters/_postgres/index.ts',
  ...globSync('adapters/[!_]*/jobs.ts', { cwd: REPOSITORY }),
];

/**
 * Entries that are alone, with separate files for what they load later. In one file they would load what that needs at
 * once: node:zlib and node:crypto take Bun 9 ms, as long as all the rest.
 */
const LOADING_LATER = [...JOBS, 'adapters/bun/index.ts'];

const files = new Map<string, string | Uint8Array>();
const adapters = globSync('adapters/[!_]*/index.ts', { cwd: REPOSITORY });
// Entries that receive Node's requests share the light classes, which must exist once per process: two such entries may
// be in one program.
const nodeAdapters = adapters.filter((file) =>
  readFileSync(path.join(REPOSITORY, file), 'utf8').includes("'../_node/listener.ts'"),
);
for (const entries of [
  // The files that a route imports: an export gives each route the files that it needs.
  [
    'runtime/index.ts',
    'runtime/cors.ts',
    'runtime/helpers.ts',
    'runtime/keep.ts',
    'runtime/http/status-error.ts',
    'runtime/cookies.ts',
    'runtime/session.ts',
    'runtime/opentelemetry.ts',
    'runtime/event-stream.ts',
    'runtime/limit-body.ts',
    'runtime/jobs.ts',
  ],
  ['runtime/contract.ts'],
  ['runtime/manifest.ts'],
  ['runtime/match-entry.ts'],
  ['runtime/server-only.ts'],
  ['adapters/_static/index.ts'],
  ['adapters/_shutdown/index.ts'],
  ['adapters/_redis/index.ts'],
  ...JOBS.map((engine) => [engine]),
  ['adapters/_test/index.ts'],
  ['adapters/_deploy/index.ts'],
  ...globSync('adapters/[!_]*/{deploy,jobs-host}.ts', { cwd: REPOSITORY }).map((described) => [described]),
  nodeAdapters,
  ...adapters.filter((adapter) => !nodeAdapters.includes(adapter)).map((adapter) => [adapter]),
]) {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry.replace(/\.ts$/, ''), path.join(REPOSITORY, entry)])),
    // What a host provides, such as node:http and cloudflare:workers, and what an app installs for some entries.
    external: [/^[a-z]+:/, '@opentelemetry/api', 'cookie', 'jose', 'pg-boss', '@aws-sdk/client-sqs', '@vercel/queue'],
    transform: { target: 'es2023' },
    // An import that is not found would be left unchanged, and fail for the user.
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({
    dir: LIB,
    entryFileNames: '[name].js',
    format: 'esm',
    codeSplitting: entries.length > 1 || LOADING_LATER.includes(entries[0] ?? ''),
    banner: toNotice,
  });
  for (const file of output) files.set(file.fileName, file.type === 'chunk' ? file.code : file.source);
  await bundle.close();
}
await replaceFiles(LIB, files, (file) => file.endsWith('.js'));

/** The licence of a package must accompany each copy of it. */
function toNotice({ moduleIds }: { moduleIds: string[] }): string {
  const roots = moduleIds.map((id) => /^.*\/node_modules\/(croner|yaml)\//.exec(id));
  const found = new Map(roots.flatMap((match) => (match?.[1] === undefined ? [] : [[match[1], match[0]]])));
  return [...found]
    .map(([name, root]) => `/*! ${name}\n${readFileSync(path.join(root, 'LICENSE'), 'utf8')}*/`)
    .join('\n');
}
