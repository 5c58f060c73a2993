import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { readDocument } from './document.ts';
import type { Document } from './document.ts';
import { DOCS } from './settings.ts';

/** The pages in reading order. A page that is not listed comes last. */
const CONTENTS: Record<string, string[]> = {
  Start: ['getting-started', 'why'],
  Write: [
    'routes',
    'contracts',
    'middleware',
    'cross-origin',
    'helpers',
    'cookies',
    'streams',
    'jobs',
    'workflows',
    'uploads',
    'pages',
    'sign-in',
    'sign-in-native',
    'native',
    'uri-scheme',
  ],
  Run: ['development', 'testing', 'export', 'errors', 'speed'],
  // `deploy-*` means the pages of single hosts, in the order of their names.
  Host: ['hosting', 'mounting', 'frameworks', 'deploy', 'deploy-*', 'caching', 'operations', 'scale'],
};

/** Some pages of the guide, under one heading. */
export interface Chapter {
  title: string;
  pages: GuideLink[];
}

/** A page of the guide, as shown in a list. */
export interface GuideLink {
  slug: string;
  title: string;
}

/** A page of the guide. */
export interface GuidePage extends Document {
  chapters: Chapter[];
  previous?: GuideLink | undefined;
  next?: GuideLink | undefined;
}

/** Lists the pages of the guide. */
export async function listGuide(): Promise<Chapter[]> {
  const slugs = (await readdir(path.join(DOCS, 'guide'))).map((file) => path.basename(file, '.md')).toSorted();
  const listed = Object.entries(CONTENTS).map(
    ([title, pages]) => [title, pages.flatMap((page) => expand(page, slugs))] as const,
  );
  const others = slugs.filter((slug) => !listed.some(([, pages]) => pages.includes(slug)));
  const chapters = [...listed, ['More', others] as const].filter(([, pages]) => pages.length > 0);
  return Promise.all(
    chapters.map(async ([title, pages]) => ({ title, pages: await Promise.all(pages.map(toGuideLink)) })),
  );
}

/** Reads a page of the guide. */
export async function readGuidePage(slug: string): Promise<GuidePage> {
  const chapters = await listGuide();
  const pages = chapters.flatMap((chapter) => chapter.pages);
  const index = pages.findIndex((page) => page.slug === slug);
  return { ...(await readDocument(`guide/${slug}.md`)), chapters, previous: pages[index - 1], next: pages[index + 1] };
}

/** The pages that an entry of the contents means. */
function expand(entry: string, slugs: readonly string[]): string[] {
  return entry.endsWith('*') ? slugs.filter((slug) => slug.startsWith(entry.slice(0, -1))) : [entry];
}

async function toGuideLink(slug: string): Promise<GuideLink> {
  const [, title = slug] = /^# (.+)$/m.exec(await readGuide(slug)) ?? [];
  return { slug, title };
}

function readGuide(slug: string): Promise<string> {
  return readFile(path.join(DOCS, 'guide', `${slug}.md`), 'utf8');
}
