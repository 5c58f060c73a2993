import { mkdir, readdir, readFile, rename, symlink } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { createSite } from '../fixtures/create-site.ts';
import { exportUncompressed } from '../fixtures/export-uncompressed.ts';

const SERVER = { 'app.json': JSON.stringify({ web: { output: 'server' } }) };

const page = (name: string): string => `import { useLoaderData } from 'appkit-router';
import './style.css';
export const loader = () => ({ text: ['only', 'on', 'the', 'server', '${name}'].join('-') });
export default () => <p>${name}: {useLoaderData<typeof loader>().text}</p>;
`;

const layout = `import { Slot } from 'appkit-router';
export const loader = () => 'the server', inLayout = 1;
export default () => <main>in the layout<Slot /></main>;
`;

/** All code of a folder. */
async function readAll(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const texts = names.filter((name) => name.endsWith('.js')).map((name) => readFile(path.join(folder, name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

it('keeps loaders of pages and layouts on the server that are symbolic links, and those of linked folders', async () => {
  const projectRoot = await createSite({
    ...SERVER,
    'shared/page.tsx': page('linked-file'),
    'shared/layout.tsx': layout,
    'shared/style.css': 'p { color: red }',
    'shared/folder/style.css': 'p { color: green }',
    'app/style.css': 'p { color: blue }',
    'shared/folder/inner.tsx': page('linked-folder'),
    'app/index.tsx': page('plain'),
  });
  await symlink('../shared/page.tsx', path.join(projectRoot, 'app/linked.tsx'));
  await symlink('../shared/layout.tsx', path.join(projectRoot, 'app/_layout.tsx'));
  await symlink('../shared/folder', path.join(projectRoot, 'app/folder'));
  await mkdir(path.join(projectRoot, 'parts'));
  await rename(path.join(projectRoot, 'app'), path.join(projectRoot, 'parts/routes'));
  // Links in it lead from where it is now.
  await symlink('parts/routes', path.join(projectRoot, 'app'));
  await symlink('../shared', path.join(projectRoot, 'parts/shared'));
  const { manifest, outputDir } = await exportUncompressed({ projectRoot });
  expect(manifest.pages?.map(({ pattern }) => pattern)).toEqual(['/folder/inner', '/', '/linked']);
  const client = await readAll(path.join(outputDir, 'client'));
  for (const name of ['plain', 'linked-file', 'linked-folder', 'in the layout']) expect(client).toContain(name);
  expect(client).not.toMatch(/\bon\b.{1,5}\bthe\b.{1,5}\bserver\b/);
  expect(client).not.toContain('the server');
  // What a page needs is named in its HTML.
  const pages = Object.values(manifest.pages ?? []).map(({ file }) =>
    readFile(path.join(outputDir, 'server', file), 'utf8'),
  );
  for (const text of await Promise.all(pages)) expect(text.match(/[\w-]+\.css/g)).toHaveLength(1);
});
