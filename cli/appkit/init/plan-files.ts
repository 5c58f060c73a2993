import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../command-error.ts';
import { assertInside } from './assert-inside.ts';
import { assertWritable } from './assert-writable.ts';
import { mergeManifest } from './package-manifest.ts';

/** The planned change of one file of an app. */
export interface PlannedFile {
  /** Relative to the app, with `/` on every system. */
  path: string;
  /** Its new content. */
  content: Buffer;
  /** What would be overwritten without `--force`: the file, or some of its scripts. */
  conflict?: string;
  /** What happens to an existing file. Absent for a new file. */
  change?: string;
}

/** A file of a template. */
export type TemplateFile = Pick<PlannedFile, 'path' | 'content'>;

/** Reads the files of a template. */
export function readTemplate(folder: string): TemplateFile[] {
  // Names only: in an archive of Yarn's Plug'n'Play, the entries do not have the folder that they are in.
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(folder, file)).isFile())
    .toSorted()
    .map((file) => ({ path: file.replaceAll(path.sep, '/'), content: readFileSync(path.join(folder, file)) }));
}

/**
 * Compares the files of a template with the app, and writes nothing.
 *
 * @throws CommandError when a file of the template can never be written: its path is a folder, its folder is a file,
 * a link leads out of the app, or the system does not allow it.
 */
export function planFiles(files: readonly TemplateFile[], root: string): PlannedFile[] {
  return files.map((file) => {
    assertInside(root, file.path);
    const existing = readExisting(root, path.normalize(file.path));
    if (existing && isSame(existing, file.content)) return { ...file, content: existing, change: 'as it was' };
    assertWritable(path.join(root, file.path));
    if (existing === undefined) return file;
    if (file.path === 'package.json') return mergePackage(existing.toString(), file.content.toString());
    return { ...file, conflict: file.path, change: 'replaced' };
  });
}

/** Whether two files have the same content. Git on Windows may have changed the line ends. */
function isSame(one: Buffer, other: Buffer): boolean {
  const toText = (content: Buffer): string => content.toString('latin1').replaceAll('\r\n', '\n'); // every byte is a character
  return one.equals(other) || toText(one) === toText(other);
}

/**
 * Reads a file of the app, if it exists.
 *
 * @throws CommandError when it can never be a file.
 */
export function readExisting(root: string, file: string): Buffer | undefined {
  try {
    return readFileSync(path.join(root, file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // what node:fs throws
    if (code === 'ENOENT') return undefined;
    if (code !== 'EISDIR' && code !== 'ENOTDIR') throw error;
    const reason = code === 'EISDIR' ? 'there is a folder of that name' : 'its folder is a file';
    throw new CommandError(
      `${file}: this file cannot be written: ${reason}. Nothing was written.`,
      'Rename that first.',
    );
  }
}

/** A `package.json` contains more than a template knows: only the template's values are set. */
function mergePackage(existing: string, wanted: string): PlannedFile {
  const { text, added, replaced } = mergeManifest(existing, wanted);
  const changed = [...added, ...replaced];
  if (changed.length === 0) return { path: 'package.json', content: Buffer.from(existing), change: 'as it was' };
  return {
    path: 'package.json',
    content: Buffer.from(text),
    change: `its ${changed.join(', ')} set, the rest unchanged`,
    ...(replaced.length > 0 && { conflict: `package.json (its ${replaced.join(', ')})` }),
  };
}
