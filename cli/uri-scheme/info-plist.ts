import type { SchemeDetails, SchemeFileFormat } from './scheme-file.ts';
import type { SourceFile } from './source-file.ts';
import { toPosition } from './source-position.ts';
import { applyEdits } from './text-edit.ts';
import type { TextEdit } from './text-edit.ts';
import { errorAt } from './uri-scheme-error.ts';
import { childrenOf, parseXml } from './xml.ts';
import type { XmlElement } from './xml.ts';
import { appendChildren, escapeText, holdsOnly, removeChildren } from './xml-edit.ts';
import type { XmlLines } from './xml-edit.ts';

const URL_TYPES = 'CFBundleURLTypes';
const SCHEMES = 'CFBundleURLSchemes';
const NAME = 'CFBundleURLName';
const ROLE = 'CFBundleTypeRole';

/** `Info.plist`: each added scheme gets its own URL type. */
export const infoPlist: SchemeFileFormat = {
  add(source, scheme, details) {
    const root = parsePlist(source);
    if (placesOf(source, root).some(({ string }) => isSame(string, scheme))) {
      const message = `${source.file}: ${scheme} already exists; its name and role are not changed.`;
      const isAsked = details.name !== undefined || details.role !== undefined;
      return { text: source.text, warnings: isAsked ? [{ code: 'already-there', message }] : [] };
    }
    const types = valueOf(source, root, URL_TYPES, 'array');
    const type = urlType(scheme, details);
    const edit = types
      ? appendChildren(source.text, types.value, type)
      : appendChildren(source.text, root, [`<key>${URL_TYPES}</key>`, '<array>', type, '</array>']);
    return { text: applyEdits(source.text, [edit]), warnings: [] };
  },

  remove(source, schemes) {
    let { text } = source;
    // One at a time: the remaining text decides how the next one is removed.
    for (;;) {
      const current = { ...source, text };
      const root = parsePlist(current);
      const next = placesOf(current, root).find(({ string }) => schemes.some((scheme) => isSame(string, scheme)));
      if (!next) return { text, warnings: [] };
      text = applyEdits(text, [removeScheme(text, root, next)]);
    }
  },

  list(source) {
    return placesOf(source, parsePlist(source)).map(({ string }) => ({
      scheme: string.text.trim(),
      line: toPosition(source.text, string.start).line,
    }));
  },
};

interface Entry {
  key: XmlElement;
  value: XmlElement;
}

/** The elements around a scheme, from outside to inside. */
interface Place {
  types: Entry;
  type: XmlElement;
  schemes: XmlElement;
  string: XmlElement;
}

/** The outermost dictionary. */
function parsePlist(source: SourceFile): XmlElement {
  const root = parseXml(source);
  const [dictionary] = root.children;
  if (root.name === 'plist' && dictionary?.name === 'dict' && root.children.length === 1) return dictionary;
  const place = { ...source, offset: root.start };
  const fix = 'Name the Info.plist of the app with --info-path.';
  throw errorAt('ERR_FILE_MALFORMED', place, 'This is not a property list with a dictionary in it.', fix);
}

function placesOf(source: SourceFile, root: XmlElement): Place[] {
  const types = valueOf(source, root, URL_TYPES, 'array');
  if (!types) return [];
  return types.value.children.flatMap((type) => {
    if (type.name !== 'dict') throw wrongType(source, type, `An item of ${URL_TYPES}`, 'dict');
    const schemes = valueOf(source, type, SCHEMES, 'array')?.value;
    return schemes ? childrenOf(schemes, 'string').map((string) => ({ types, type, schemes, string })) : [];
  });
}

function valueOf(source: SourceFile, dictionary: XmlElement, name: string, kind: string): Entry | undefined {
  const entry = entriesOf(dictionary).find(({ key }) => key.text.trim() === name);
  if (entry && entry.value.name !== kind) throw wrongType(source, entry.value, name, kind);
  return entry;
}

function entriesOf({ children }: XmlElement): Entry[] {
  return children.flatMap((key, index) => {
    const value = children[index + 1];
    return key.name === 'key' && value ? [{ key, value }] : [];
  });
}

function wrongType(source: SourceFile, element: XmlElement, what: string, kind: string): Error {
  const message = `${what} is <${element.name}>, where iOS reads <${kind}>.`;
  return errorAt(
    'ERR_FILE_MALFORMED',
    { ...source, offset: element.start },
    message,
    'Correct it by hand. Nothing was written.',
  );
}

function urlType(scheme: string, { name, role }: SchemeDetails): XmlLines {
  return [
    '<dict>',
    [
      ...(role === undefined ? [] : [`<key>${ROLE}</key>`, `<string>${role}</string>`]),
      ...(name === undefined ? [] : [`<key>${NAME}</key>`, `<string>${escapeText(name)}</string>`]),
      `<key>${SCHEMES}</key>`,
      '<array>',
      [`<string>${scheme}</string>`],
      '</array>',
    ],
    '</dict>',
  ];
}

/** Removes the string, and its URL type and the list of URL types if they contain nothing else. */
function removeScheme(text: string, root: XmlElement, { types, type, schemes, string }: Place): TextEdit {
  if (!isAsAdded(text, type, schemes)) return removeChildren(text, schemes, string);
  const { key, value } = types;
  const isLast = value.children.length === 1 && holdsOnly(text, value, type);
  const isNextToKey = /^[ \t\r\n]*$/.test(text.slice(key.end, value.start));
  return isLast && isNextToKey ? removeChildren(text, root, key, value) : removeChildren(text, value, type);
}

/** Whether a URL type contains what `add` writes, and nothing more. */
function isAsAdded(text: string, type: XmlElement, schemes: XmlElement): boolean {
  const entries = entriesOf(type);
  return (
    schemes.children.length === 1 &&
    entries.length * 2 === type.children.length &&
    entries.every(({ key }) => [ROLE, NAME, SCHEMES].includes(key.text.trim())) &&
    !text.slice(type.start, type.end).includes('<!--')
  );
}

/** iOS ignores the case of schemes. */
function isSame(string: XmlElement, scheme: string): boolean {
  return string.text.trim().toLowerCase() === scheme.toLowerCase();
}
