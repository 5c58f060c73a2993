import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The files replace a database that all instances share. */
const FOLDER = process.env.POSTS_FOLDER ?? '.';

let renders = 0;

/** How many posts this process has rendered. */
export function countRenders(): number {
  return renders;
}

/** Renders a post, which takes a while, like a query or two. */
export async function renderPost(id: string): Promise<string> {
  renders++;
  await delay(100);
  const text = await readFile(fileOf(id), 'utf8').catch(() => 'Nothing yet');
  return `<!doctype html><title>Post</title><p>${escape(text)}</p>`;
}

/** Saves the text of a post. */
export async function savePost(id: string, text: string): Promise<void> {
  await writeFile(fileOf(id), text);
}

function fileOf(id: string): string {
  return path.join(FOLDER, `${encodeURIComponent(id)}.post`);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
