import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { removePresent } from './package-manifest.ts';
import { readExisting, readTemplate } from './plan-files.ts';
import type { TemplateFile } from './plan-files.ts';

// Two levels up from lib/init/, where this file is compiled to.
const TEMPLATES = fileURLToPath(new URL('../../templates', import.meta.url));

/**
 * Reads the files of a new app, `minimal` or `full`. An existing `package.json` keeps its fields, such as where its
 * packages come from.
 *
 * @throws CommandError when that is not a JSON object.
 */
export function readNewApp(kind: 'minimal' | 'full', root: string): TemplateFile[] {
  return readTemplate(path.join(TEMPLATES, kind)).map(({ path: file, content }) => {
    if (file === 'gitignore') return { path: '.gitignore', content };
    if (file === 'package.json') return { path: file, content: Buffer.from(toManifest(content.toString(), root)) };
    return { path: file, content };
  });
}

function toManifest(text: string, root: string): string {
  const named = text.replace('"my-app"', JSON.stringify(toPackageName(path.basename(root))));
  const existing = readExisting(root, 'package.json');
  return existing === undefined ? named : removePresent(named, existing.toString());
}

/** The name of a folder, converted to one that npm allows for a package. */
function toPackageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z\d.~-]+/g, '-')
    .replace(/^[._-]+/, '');
  return name === '' ? 'my-app' : name;
}
