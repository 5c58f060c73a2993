/**
 * `npm run mutation`: puts faults into our code, one at a time, and runs the unit tests that reach each. Prints every
 * fault that no test detects.
 */
import { glob, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createTemporaryFolder } from '../../conformance/temporary-folder.ts';
import { areas, exempt } from './areas.ts';
import type { Area } from './areas.ts';
import { instrument } from './instrument.ts';
import { describe, explain, isEnough, replaceSection, staleOf, toSection } from './report.ts';
import type { AreaResult, Reason, TriedMutant } from './report.ts';
import { tryMutants } from './try-mutants.ts';

const root = path.join(import.meta.dirname, '../..');
const page = path.join(root, 'docs/reliability.md');

const usage = `npm run mutation -- [options]

  --area <name>   mutate only this area of areas.ts; may be repeated
  --only <path>   mutate only files whose path contains this text; may be repeated
  --workers <n>   test files at a time. Default: 2
  --write         write the scores into docs/reliability.md, where other areas keep theirs; not with --only
  --json <file>   write every mutant and its result into a file`;

const { values } = parseArgs({
  options: {
    area: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    workers: { type: 'string', default: String(Math.min(2, cpus().length)) },
    write: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const isPartial = values.only.length > 0;
const names = areas.map(({ name }) => name);
const unknown = values.area.filter((name) => !names.includes(name));
if (unknown.length > 0) console.error(`No area is called ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
if (values.help || unknown.length > 0 || !/^[1-9]\d*$/.test(values.workers) || (values.write && isPartial)) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  process.exitCode = await main();
}

async function main(): Promise<number> {
  const started = performance.now();
  const reasons = JSON.parse(await readFile(path.join(import.meta.dirname, 'survivors.json'), 'utf8')) as Reason[]; // ours
  const results: AreaResult[] = [];
  const broken: string[] = [];
  for (const area of areas.filter(({ name }) => values.area.length === 0 || values.area.includes(name))) {
    const files = await find(area.files);
    if (files.length === 0) continue;
    const tried = await tryArea(area, files);
    results.push({
      name: area.name,
      mutants: tried.mutants.map((mutant) => ({ ...mutant, reason: explain(mutant, reasons) })),
    });
    broken.push(...tried.broken);
  }
  if (results.length === 0) throw new Error(`No file to mutate has ${values.only.join(' or ')} in its path.`);
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(results, undefined, 1));
  const stale = staleOf(reasons, results);
  console.log(`${describe(results)}\n${Math.ceil((performance.now() - started) / 60_000)} min`);
  for (const reason of stale) {
    console.log(
      `No such survivor any more, remove it from survivors.json: ${reason.file}: ${reason.from} → ${reason.to}`,
    );
  }
  for (const tests of broken) console.log(`This fails without any mutant, and was left out: ${tests}`);
  if (values.write) {
    const before = await readFile(page, 'utf8');
    await writeFile(page, replaceSection(before, toSection(results, { names, before })));
  }
  return broken.length > 0 || stale.length > 0 || !results.every(isEnough) ? 1 : 0;
}

async function tryArea(
  { name, tests }: Area,
  files: readonly string[],
): Promise<{ mutants: Omit<TriedMutant, 'reason'>[]; broken: string[] }> {
  const { code, mutants } = await instrument(root, files);
  console.log(`${name}: ${mutants.length} mutants in ${files.length} files`);
  await using folder = await createTemporaryFolder('appkit-mutation-');
  const options = { root, code, mutants, tests, folder: folder.path, workers: Number(values.workers) };
  const { ends, broken } = await tryMutants(options);
  return { mutants: mutants.map((mutant) => ({ ...mutant, end: ends.get(mutant.id) ?? 'not reached' })), broken };
}

async function find(files: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob([...files], { cwd: root, exclude: [...exempt] })) {
    if (!isPartial || values.only.some((text) => file.includes(text))) found.push(file);
  }
  return found.toSorted();
}
