import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { lexer } from 'marked';
import { describePage } from './description.ts';
import { renderMarkdown } from './markdown.ts';
import type { Rendered } from './markdown.ts';
import { DOCS } from './settings.ts';

/** A page rendered from a file of docs/. */
export interface Document extends Rendered {
  /** What the page is about, for readers who have not opened it. */
  description: string;
}

/** Reads a file of docs/. */
export async function readDocument(name: string): Promise<Document> {
  const text = await readFile(path.join(DOCS, name), 'utf8');
  return { ...renderMarkdown(text, `docs/${name}`), description: describePage(lexer(text)) };
}
