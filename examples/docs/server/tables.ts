import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { lexer } from 'marked';
import type { Token, Tokens } from 'marked';
import { DOCS } from './settings.ts';

/** A part of a Markdown file: a heading and what follows it. */
export interface Part {
  title: string;
  /** The Markdown of the complete part, including the heading. */
  text: string;
  tables: Table[];
}

/** A table as text. */
export interface Table {
  header: string[];
  rows: string[][];
}

/** Reads a file of docs/ as parts, divided at its headings of the first and second level. */
export async function readParts(name: string): Promise<Part[]> {
  const parts: Part[] = [];
  for (const token of lexer(await readFile(path.join(DOCS, name), 'utf8'))) {
    if (isHeading(token)) parts.push({ title: token.text, text: '', tables: [] });
    const part = parts.at(-1);
    if (!part) throw new Error(`${name} does not begin with a heading.`);
    part.text += token.raw;
    if (token.type === 'table') part.tables.push(toTable(token as Tokens.Table)); // the type says so
  }
  return parts;
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading' && (token as Tokens.Heading).depth <= 2; // the type says so
}

function toTable({ header, rows }: Tokens.Table): Table {
  return { header: header.map(({ text }) => text), rows: rows.map((row) => row.map(({ text }) => text)) };
}
