import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** An HTML file of a site. */
export interface HtmlFile {
  /** Relative to the folder of the site. */
  name: string;
  /** Its path in the browser: without its extension. */
  pathname: string;
  html: string;
}

/** Reads every HTML file of a site, which must have at least one. */
export async function readHtmlFiles(folder: string): Promise<HtmlFile[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.html')).toSorted();
  if (names.length === 0) throw new Error(`No HTML file in ${folder}.`);
  return Promise.all(
    names.map(async (name) => ({
      name,
      pathname: `/${name.replace(/(?:^index)?\.html$/, '')}`,
      html: await readFile(path.join(folder, name), 'utf8'),
    })),
  );
}
