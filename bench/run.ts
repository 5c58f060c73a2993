/**
 * `npm run bench`: appkit next to its peers, in one run on one machine, and every goal next to what was measured.
 *
 * `npm run bench -- --only match` runs one part, and `--write` writes what was measured into docs/benchmarks.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureExport } from './export.ts';
import { toGroups } from './http/contestants.ts';
import { measureHttp } from './http/http.ts';
import { measureJobs } from './jobs.ts';
import { measureMatch } from './match.ts';
import { measureMemory } from './memory.ts';
import { measureOverhead } from './overhead/overhead.ts';
import { exportBenchApp, findDeno, installPeers } from './prepare.ts';
import { toPage } from './section.ts';
import type { Section } from './section.ts';
import { measureSharedModules } from './shared-modules.ts';
import { measureSite } from './site.ts';
import { measureSize } from './size.ts';
import { measureStart } from './start.ts';
import { measureWeight } from './weight.ts';

const usage = `npm run bench -- [options]

  --only <part>     run one part; may be repeated: http, match, size, start, memory, overhead, export,
                    shared-modules, site, jobs, weight
  --group <name>    of http, run only one group; may be repeated: node, everyday, express, bun, deno, compressed,
                    files, "files on bun", "files on deno"
  --rounds <n>      rounds of http. Default: 5
  --seconds <n>     length of each slice of http. Default: 1
  --write           write what was measured into docs/benchmarks.md; other parts stay`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    group: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const parts: Record<string, (build: string) => Promise<Section | Section[]>> = {
  match: measureMatch,
  size: measureSize,
  start: measureStart,
  overhead: measureOverhead,
  export: measureExport,
  'shared-modules': measureSharedModules,
  site: measureSite,
  memory: measureMemory,
  jobs: measureJobs,
  weight: measureWeight,
  async http(build) {
    const all = toGroups(await findDeno());
    const groups = all.filter(({ title }) => values.group?.includes(title.toLowerCase()) ?? true);
    return measureHttp({ groups, build, rounds: Number(values.rounds), seconds: Number(values.seconds) });
  },
};

const unknown = values.only?.find((name) => !(name in parts));
if (values.help || unknown !== undefined) {
  if (unknown !== undefined) console.error(`Unknown part: ${unknown}.`);
  console.log(usage);
  process.exitCode = unknown === undefined ? 0 : 2;
} else {
  await installPeers();
  const build = await exportBenchApp();
  const sections: Section[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (!(values.only?.includes(name) ?? true)) continue;
    console.error(`Measuring ${name}`);
    const startedAt = performance.now();
    sections.push(...[await measure(build)].flat());
    console.error(`Measured ${name} in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}.`;
  console.log(toPage(sections, machine));
  if (values.write) {
    const page = path.join(import.meta.dirname, '../docs/benchmarks.md');
    const isWhole = values.only === undefined && values.group === undefined;
    await writeFile(page, toPage(sections, machine, isWhole ? '' : await readFile(page, 'utf8')));
  }
}
