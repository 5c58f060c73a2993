import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { PageFile, SiteFiles } from './scan-pages.ts';

/** What other frameworks give a meaning by the name of its file, and what stands for it here. */
const MEANINGS = new Map<string, (folder: string, extension: string) => string>([
  ['page', (folder, extension) => `For the page of its folder, rename it to ${folder}/index${extension}.`],
  [
    'layout',
    (folder, extension) =>
      `For the layout of its folder, rename it to ${folder}/_layout${extension}, and render <Slot /> in it.`,
  ],
  [
    'template',
    (folder, extension) =>
      `For the layout of its folder, rename it to ${folder}/_layout${extension}, and render <Slot /> in it.`,
  ],
  ['loading', (folder) => `For what is shown meanwhile, put <Suspense> into ${folder}/_layout.tsx.`],
  ['error', (folder) => `For what is shown for an error, export ErrorBoundary from ${folder}/_layout.tsx.`],
  ['global-error', (folder) => `For what is shown for an error, export ErrorBoundary from ${folder}/_layout.tsx.`],
  [
    'not-found',
    (folder, extension) => `For what is shown where there is no page, rename it to ${folder}/+not-found${extension}.`,
  ],
]);

/** Names files that are exported, and may do something else than their author thinks. */
export function findUnusual({ pages, notFound }: Pick<SiteFiles, 'pages' | 'notFound'>, projectRoot: string): string[] {
  const layouts = new Set([...pages, ...notFound].flatMap((page) => page.layouts));
  return [
    ...pages.flatMap(explainName),
    ...[...layouts].filter((file) => !hasSlot(path.join(projectRoot, file))).map(explainLayout),
  ];
}

function explainName({ file, pattern }: PageFile): string[] {
  const { dir, name, ext } = path.posix.parse(file);
  const explain = MEANINGS.get(name);
  return explain ? [`${file} is the page of ${pattern}. ${explain(dir, ext)}`] : [];
}

/** A module that takes its component from another one may have it there. */
function hasSlot(file: string): boolean {
  const source = readFileSync(file, 'utf8');
  return /\bSlot\b|\bexport\s[^;]*\bfrom\b/.test(source);
}

function explainLayout(file: string): string {
  return `${file} renders no <Slot />, so that none of its pages is shown. Import Slot from appkit-router, and render it where they go.`;
}
