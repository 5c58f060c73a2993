import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import GithubSlugger from 'github-slugger';
import { lexer } from 'marked';
import type { Token, Tokens } from 'marked';
import MiniSearch from 'minisearch';
import type { AsPlainObject } from 'minisearch';
import { SEARCH_OPTIONS } from '../components/search-options.ts';
import type { SearchEntry } from '../components/search-options.ts';
import { PACKAGES, readPackage } from './api.ts';
import { toText } from './description.ts';
import { DOCS } from './settings.ts';

/** What a search covers: the sections of the guide, and everything that can be imported. */
export async function createSearchIndex(): Promise<AsPlainObject> {
  const names = await readdir(path.join(DOCS, 'guide'));
  const files = [...names.map((name) => `guide/${name}`), 'versioning.md'].toSorted();
  const sections = await Promise.all(files.map(readSections));
  const search = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  search.addAll([...sections.flat(), ...PACKAGES.flatMap(listExports)].map((entry, id) => ({ ...entry, id })));
  return search.toJSON();
}

type Found = Omit<SearchEntry, 'id'>;

/** Reads a Markdown file as sections, divided at its headings. */
async function readSections(file: string): Promise<Found[]> {
  const href = `/${file.replace(/\.md$/, '')}`;
  const slugger = new GithubSlugger();
  const sections: Found[] = [];
  for (const token of lexer(await readFile(path.join(DOCS, file), 'utf8'))) {
    if (isHeading(token)) {
      const title = toText(token.tokens);
      const fragment = slugger.slug(title);
      const page = sections[0]?.title ?? title;
      sections.push({ href: sections.length === 0 ? href : `${href}#${fragment}`, title, page, text: '' });
    } else {
      const section = sections.at(-1);
      if (section) section.text += `${token.raw}\n`;
    }
  }
  return sections;
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

function listExports(name: (typeof PACKAGES)[number]): Found[] {
  return readPackage(name).entries.flatMap(({ exports }) =>
    exports.map((one) => ({
      href: `/api/${name}#${one.id}`,
      title: one.name,
      page: name,
      text: one.html.replaceAll(/<[^>]+>/g, ' '),
    })),
  );
}
