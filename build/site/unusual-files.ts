import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { PageFile, SiteFiles } from './scan-pages.ts';

/** Files that have a meaning in other frameworks by their names, and the equivalent here. */
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
  ['loading', (folder) => `To show something meanwhile, put <Suspense> into ${folder}/_layout.tsx.`],
  ['error', (folder) => `To show something for an error, export ErrorBoundary from ${folder}/_layout.tsx.`],
  ['global-error', (folder) => `To show something for an error, export ErrorBoundary from ${folder}/_layout.tsx.`],
  [
    'not-found',
    (folder, extension) => `To show something when there is no page, rename it to ${folder}/+not-found${extension}.`,
  ],
]);

/** Names files that are exported but may not do what their author expects. */
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

/** A module that imports its component from another one may find `<Slot />` there. */
function hasSlot(file: string): boolean {
  const source = readFileSync(file, 'utf8');
  return /\bSlot\b|\bexport\s[^;]*\bfrom\b/.test(source);
}

function explainLayout(file: string): string {
  return `${file} renders no <Slot />, so that none of its pages is shown. Import Slot from appkit-router, and render it where they go.`;
}
