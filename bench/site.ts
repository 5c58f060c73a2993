import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atMost, median, toTable } from './section.ts';
import type { Goal, Section } from './section.ts';
import { timeCommand } from './time-command.ts';
import type { Timed } from './time-command.ts';

const COUNT = 500;
const ROUNDS = 3;

/** The export of a site, compared with Vite alone over the same pages, and the second export of the same site. */
export async function measureSite(): Promise<Section> {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-bench-site-'));
  try {
    const runs: Record<'client' | 'both' | 'first' | 'second', Timed[]> = {
      client: [],
      both: [],
      first: [],
      second: [],
    };
    let isSame = true;
    // Alternately, so that a slower minute of the machine affects all of them.
    for (let round = 0; round < ROUNDS; round++) {
      // A new folder each time: soon after files have been removed, ext4 takes up to ten times as long to create new
      // ones.
      const site = path.join(folder, `site-${round}`);
      await writeSite(site);
      const exportSite = ['appkit', 'export', '-p', 'web', site] as const;
      for (const mode of ['client', 'both'] as const) {
        runs[mode].push(await timeCommand([process.execPath, 'bundle-site.mjs', site, mode]));
      }
      runs.first.push(await timeCommand(exportSite));
      const written = await hashFolder(path.join(site, 'dist'));
      runs.second.push(await timeCommand(exportSite));
      isSame &&= written === (await hashFolder(path.join(site, 'dist')));
      console.error(`site: round ${round + 1} of ${ROUNDS}`);
    }
    const toRow = (what: string, these: readonly Timed[]): string[] => [
      what,
      median(these.map(({ seconds }) => seconds)).toFixed(1),
      median(these.map(({ processorSeconds }) => processorSeconds)).toFixed(1),
      median(these.map(({ mebibytes }) => mebibytes)).toFixed(0),
    ];
    const ratio = (these: readonly Timed[], those: readonly Timed[]): number =>
      median(these.map(({ seconds }, round) => seconds / (those[round]?.seconds ?? NaN)));
    const text = `${COUNT} pages with a layout and a shared component, and ${COUNT} routes. \`vite\` builds the same pages with Vite
alone, each loaded on demand: the client bundle, and then also the one for the server, as in Vite's guide to server
rendering. An export makes both, and also a file per route, the HTML of each page, the compressed forms of the files, and the
proof that nothing of the server is in the client. Median of ${ROUNDS} rounds, alternating.

${toTable(
  ['what', 'seconds', 'processor seconds', 'peak MiB'],
  [
    toRow('vite, client', runs.client),
    toRow('vite, client and server', runs.both),
    toRow('appkit export', runs.first),
    toRow('appkit export, nothing changed', runs.second),
  ],
)}`;
    const same: Goal = {
      what: 'second export: bytes',
      goal: 'the same',
      measured: isSame ? 'the same' : 'others',
      met: isSame,
    };
    const goals = [
      atMost(`export of ${COUNT} pages and ${COUNT} routes: of vite, client`, ratio(runs.first, runs.client), {
        limit: 1.6,
      }),
      atMost('second export: of the first', ratio(runs.second, runs.first), { limit: 0.3 }),
      same,
    ];
    return { title: 'Site', text, goals };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeSite(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'app/api'), { recursive: true });
  await mkdir(path.join(folder, 'lib'));
  await cp(path.join(import.meta.dirname, 'app/app.json'), path.join(folder, 'app.json'));
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await symlink(path.join(import.meta.dirname, '../node_modules'), path.join(folder, 'node_modules'));
  const files: Record<string, string> = {
    'lib/store.ts': `const rows = new Map([['a', 'the first row']]);
export const find = (id: string): string | undefined => rows.get(id);
`,
    'lib/card.tsx': `import { useState } from 'react';
export function Card({ title, to }: { title: string; to: string }) {
  const [count, setCount] = useState(0);
  return (
    <article>
      <h2>{title}</h2>
      <button onClick={() => setCount(count + 1)}>{count}</button>
      <a href={to}>next</a>
    </article>
  );
}
`,
    'app/_layout.tsx': `import { Slot } from 'appkit-router';
export default () => <main><Slot /></main>;
`,
  };
  for (let index = 0; index < COUNT; index++) {
    files[`app/page${index}.tsx`] = toPage(index);
    files[`app/api/route${index}+api.ts`] = `import { find } from '../../lib/store.ts';
export function GET(request: Request): Response {
  return Response.json({ route: ${index}, row: find(new URL(request.url).searchParams.get('id') ?? 'a') });
}
`;
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
}

/** A page of about 60 lines: a list, a form, a table. */
function toPage(index: number): string {
  const rows = Array.from(
    { length: 8 },
    (_, row) => `        <tr><td>Row ${row} of page ${index}</td><td>{sum(${row}, ${index})}</td></tr>`,
  );
  const cards = Array.from(
    { length: 6 },
    (_, card) => `      <Card title="Card ${card} of page ${index}" to="/page${(index + card) % COUNT}" />`,
  );
  return `import { useMemo, useState } from 'react';
import { Card } from '../lib/card';

interface Entry {
  name: string;
  amount: number;
}

const entries: readonly Entry[] = [
  { name: 'first of ${index}', amount: ${index} },
  { name: 'second of ${index}', amount: ${index * 2} },
];

function sum(row: number, page: number): number {
  return entries.reduce((total, entry) => total + entry.amount * row, page);
}

export default function Page() {
  const [filter, setFilter] = useState('');
  const shown = useMemo(() => entries.filter(({ name }) => name.includes(filter)), [filter]);
  return (
    <section>
      <title>Page ${index}</title>
      <h1>Page ${index}</h1>
      <label>
        Filter <input value={filter} onChange={(event) => setFilter(event.target.value)} />
      </label>
      <ul>
        {shown.map((entry) => (
          <li key={entry.name}>
            {entry.name}: {entry.amount}
          </li>
        ))}
      </ul>
      <table>
        <tbody>
${rows.join('\n')}
        </tbody>
      </table>
${cards.join('\n')}
    </section>
  );
}
`;
}

/** One hash over the names and contents of all files in a folder. */
async function hashFolder(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  for (const file of files.toSorted()) hash.update(`${file}\0`).update(await readFile(file));
  return hash.digest('hex');
}
