import { parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { appendItem, endOf, removeItem } from './json-edit.ts';
import type { SchemeFileFormat } from './scheme-file.ts';
import type { SourceFile } from './source-file.ts';
import { toPosition } from './source-position.ts';
import { applyEdits } from './text-edit.ts';
import type { TextEdit } from './text-edit.ts';
import { errorAt } from './uri-scheme-error.ts';

/** `app.json`: the key `scheme`, a string or an array of strings, under `expo` if that object exists. */
export const appConfig: SchemeFileFormat = {
  add(source, scheme) {
    const body = withoutMark(source);
    const config = parseConfig(body);
    const added = JSON.stringify(scheme);
    const value = schemeOf(body, config)?.value;
    if (!value) return edited(source, body, appendItem(body.text, config, `"scheme": ${added}`));
    if (stringsOf(value).some((node) => node.value === scheme)) return { text: source.text, warnings: [] };
    if (value.type === 'array') return edited(source, body, appendItem(body.text, value, added));
    const one = body.text.slice(value.offset, endOf(value));
    return edited(source, body, [{ start: value.offset, end: endOf(value), text: `[${one}, ${added}]` }]);
  },

  remove(source, schemes) {
    const body = withoutMark(source);
    const config = parseConfig(body);
    const entry = schemeOf(body, config);
    const found = entry && stringsOf(entry.value).find((node) => schemes.includes(String(node.value)));
    if (!entry || !found) return { text: source.text, warnings: [] };
    const edits =
      entry.value.type === 'string'
        ? removeItem(body.text, config, entry.property)
        : (toString(body.text, entry.value, found) ?? removeItem(body.text, entry.value, found));
    const { text } = edited(source, body, edits);
    // It may occur more than once.
    return appConfig.remove({ ...source, text }, schemes);
  },

  list(source) {
    const body = withoutMark(source);
    const entry = schemeOf(body, parseConfig(body));
    return (entry ? stringsOf(entry.value) : []).map((node) => ({
      scheme: String(node.value),
      line: toPosition(body.text, node.offset).line,
    }));
  },
};

const MARK = '\uFEFF';

/** The parser does not support a byte order mark. */
function withoutMark(source: SourceFile): SourceFile {
  return source.text.startsWith(MARK) ? { ...source, text: source.text.slice(MARK.length) } : source;
}

function edited(source: SourceFile, body: SourceFile, edits: TextEdit[]): { text: string; warnings: [] } {
  return { text: (body === source ? '' : MARK) + applyEdits(body.text, edits), warnings: [] };
}

/** The config object: `expo`, or the root. */
function parseConfig(source: SourceFile): Node {
  const errors: ParseError[] = [];
  const root = parseTree(source.text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const message = `This is not JSON: ${printParseErrorCode(error.error)}.`;
    throw errorAt('ERR_FILE_MALFORMED', { ...source, offset: error.offset }, message, FIX);
  }
  if (root?.type !== 'object') {
    throw errorAt('ERR_FILE_MALFORMED', { ...source, offset: 0 }, 'The config is not an object.', FIX);
  }
  const expo = propertyOf(root, 'expo')?.value;
  return expo?.type === 'object' ? expo : root;
}

function schemeOf(source: SourceFile, config: Node): { property: Node; value: Node } | undefined {
  const entry = propertyOf(config, 'scheme');
  if (!entry) return undefined;
  const values = entry.value.type === 'array' ? stringsOf(entry.value) : [entry.value];
  if (values.every(({ type }) => type === 'string')) return entry;
  const message = 'scheme is neither a string nor an array of strings.';
  throw errorAt('ERR_FILE_MALFORMED', { ...source, offset: entry.value.offset }, message, FIX);
}

/** The last property of that name, which is the one that counts. */
function propertyOf(object: Node, name: string): { property: Node; value: Node } | undefined {
  const property = object.children?.findLast(({ children }) => children?.[0]?.value === name);
  const value = property?.children?.[1];
  return property && value && { property, value };
}

function stringsOf(value: Node): Node[] {
  return value.type === 'array' ? (value.children ?? []) : [value];
}

/** Turns an array of two that `add` has made of a string into a string again, without the removed item. */
function toString(text: string, array: Node, removed: Node): TextEdit[] | undefined {
  const items = stringsOf(array);
  const written = items.map((node) => text.slice(node.offset, endOf(node)));
  const kept = written[items.indexOf(removed) === 0 ? 1 : 0];
  const isAsAdded = items.length === 2 && text.slice(array.offset, endOf(array)) === `[${written.join(', ')}]`;
  return isAsAdded && kept !== undefined ? [{ start: array.offset, end: endOf(array), text: kept }] : undefined;
}

const FIX = 'Correct it there, and run this again. Nothing was written.';
