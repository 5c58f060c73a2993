import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createMatcher } from '../runtime/routing/match.ts';
import { atMost, median, toTable } from './section.ts';
import type { Goal, Section } from './section.ts';

/** What we use of rou3. */
interface Rou3 {
  createRouter(): object;
  addRoute(router: object, method: string, path: string, data: unknown): void;
  findRoute(router: object, method: string, path: string): unknown;
}

type Find = (path: string) => unknown;

/** Routing compared with rou3, on the same routes and paths. */
export async function measureMatch(): Promise<Section> {
  const rou3 = (await import(pathToFileURL(createRequire(import.meta.url).resolve('rou3')).href)) as Rou3;
  const rows: string[][] = [];
  const goals: Goal[] = [];
  for (const count of [10, 1000, 10_000]) {
    const patterns = Array.from({ length: count }, (_, index) => toPattern(index));
    const ours = createMatcher(patterns.map((pattern) => ({ pattern })));
    const router = rou3.createRouter();
    for (const pattern of patterns) rou3.addRoute(router, 'GET', toRou3(pattern), pattern);
    const theirs: Find = (path) => rou3.findRoute(router, 'GET', path);

    const middle = Math.floor(count / 20) * 10;
    const paths = {
      static: [toPath(toPattern(middle))],
      'one param': [toPath(toPattern(middle + 6))],
      rest: [toPath(toPattern(middle + 9))],
      'all, shuffled': patterns.map(toPath).sort(() => Math.random() - 0.5),
      none: ['/nothing/here'],
    };
    for (const [name, these] of Object.entries(paths)) {
      const [our, their] = timeBoth(ours, theirs, these);
      rows.push([count.toLocaleString('en-US'), name, `${our.toFixed(0)} ns`, `${their.toFixed(0)} ns`]);
      const where = `match, ${count} routes, ${name}`;
      if (name === 'static' || name === 'one param') goals.push(atMost(where, our, { limit: 300, unit: ' ns' }));
      goals.push(atMost(`${where}: of rou3`, our / their, { limit: 1 }));
    }
  }
  const text = `Median of 15 batches of 200,000 look-ups. Ours and rou3's alternate in one process.

${toTable(['routes', 'path', 'appkit', 'rou3'], rows)}`;
  return { title: 'Matching', text, goals };
}

// Of ten routes, six are static, two have one parameter, one has two, and one has a rest parameter.
function toPattern(index: number): string {
  const start = `/area${index % 50}/item${index}`;
  const kind = index % 10;
  if (kind < 6) return start;
  if (kind < 8) return `${start}/[id]`;
  return kind === 8 ? `${start}/[id]/part/[part]` : `${start}/[...rest]`;
}

function toRou3(pattern: string): string {
  return pattern.replace('[...rest]', '**:rest').replace(/\[(\w+)\]/g, ':$1');
}

function toPath(pattern: string): string {
  return pattern.replace('[...rest]', 'x/y/z').replace('[id]', '42').replace('[part]', '7');
}

function timeBoth(ours: Find, theirs: Find, paths: readonly string[]): [number, number] {
  const times: [number[], number[]] = [[], []];
  for (let batch = 0; batch < 16; batch++) {
    const [our, their] = [time(ours, paths), time(theirs, paths)];
    // The first warms up.
    if (batch === 0) continue;
    times[0].push(our);
    times[1].push(their);
  }
  return [median(times[0]), median(times[1])];
}

function time(find: Find, paths: readonly string[]): number {
  const count = 200_000;
  let found = 0;
  const start = process.hrtime.bigint();
  for (let index = 0; index < count; index++) if (find(paths[index % paths.length] as string)) found++;
  const taken = Number(process.hrtime.bigint() - start) / count;
  // The result is used, so that the loop cannot be optimised away.
  if (found !== 0 && found !== count) throw new Error(`${found} of ${count} look-ups found something.`);
  return taken;
}
