import { CommandError } from '../command-error.ts';

/** The scripts of a `package.json`. */
export type Scripts = Record<string, string>;

/**
 * Reads a `package.json`, such as anybody may have written.
 *
 * @throws CommandError when it is not an object of JSON.
 */
export function parseManifest(text: string): Record<string, unknown> {
  const manifest = parseJson(text);
  if (isObject(manifest)) return manifest;
  throw new CommandError('package.json: this is no object of JSON. Nothing was written.', 'Correct it first.');
}

/**
 * Reads the scripts of a `package.json`.
 *
 * @throws CommandError when there is something else in their place.
 */
export function parseScripts(text: string): Scripts {
  const { scripts = {} } = parseManifest(text);
  if (isObject(scripts)) return scripts as Scripts; // values are only compared with strings
  throw new CommandError('package.json: "scripts" is no object. Nothing was written.', 'Correct it first.');
}

/**
 * Sets scripts in the text of a `package.json`, which is then written as npm writes it: in the order, with the indentation
 * and the line ends that it has.
 *
 * @throws CommandError when {@link parseScripts} cannot read it.
 */
export function setScripts(text: string, added: Scripts): string {
  const manifest = { ...parseManifest(text), scripts: { ...parseScripts(text), ...added } };
  const [, newline = '\n', indent = '  '] = /^\uFEFF?\{(\r?\n)([ \t]+)/.exec(text) ?? [];
  return `${JSON.stringify(manifest, undefined, indent)}\n`.replaceAll('\n', newline);
}

function parseJson(text: string): unknown {
  try {
    // npm reads past a byte order mark too.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
