import type { Node } from 'jsonc-parser';
import { indentAt, lineBreakAfter, lineBreakBefore } from './text-edit.ts';
import type { TextEdit } from './text-edit.ts';

/**
 * Adds an item at the end of an object or array, laid out like the item before it. Comments stay next to what they describe.
 *
 * The existing text decides the layout, so that {@link removeItem} can recognize it and restore the original text byte
 * for byte.
 */
export function appendItem(text: string, container: Node, item: string): TextEdit[] {
  const last = container.children?.at(-1);
  if (!last) return [appendFirst(text, container, item)];

  const end = endOf(last);
  const comma = commaAfter(text, end);
  const lineBreak = lineBreakOf(text, last);
  if (comma !== undefined) {
    const at = afterComments(text, comma + 1);
    const hasOwnLine = lineBreak !== undefined && lineBreakAfter(text, at) !== undefined;
    return [hasOwnLine ? insertAt(at, `${lineBreak}${item},`) : insertAt(comma + 1, ` ${item},`)];
  }
  if (lineBreak !== undefined) return [insertAt(end, ','), insertAt(afterComments(text, end), lineBreak + item)];
  const isTight = container.type === 'array' && container.length === last.length + 2;
  return [insertAt(end, `,${isTight ? '' : ' '}${item}`)];
}

/** Removes an item of an object or array, with its comma, and with its line if that contains nothing else. */
export function removeItem(text: string, container: Node, item: Node): TextEdit[] {
  const siblings = container.children ?? [];
  const index = siblings.indexOf(item);
  const previous = siblings[index - 1];
  const end = endOf(item);
  const comma = commaAfter(text, end);
  const lineBreak = lineBreakBefore(text, item.offset);

  if (comma !== undefined && text.slice(end, comma).includes('/'))
    return [remove(item.offset, end), remove(comma, comma + 1)];
  if (comma !== undefined) {
    const isOwnLine = lineBreak !== undefined && lineBreakAfter(text, comma + 1) !== undefined;
    if (isOwnLine) return [remove(lineBreak, comma + 1)];
    if (previous && lineBreak === undefined) return [remove(blanksBefore(text, item.offset), comma + 1)];
    return [remove(item.offset, blanksAfter(text, comma + 1))];
  }
  if (!previous) return [removeOnly(text, container, item)];
  const before = commaAfter(text, endOf(previous)) ?? endOf(previous);
  const start = lineStartOrBlanks(text, item, before + 1);
  return [remove(before, before + 1), remove(start, end)];
}

/** Where a node ends. */
export function endOf({ offset, length }: Node): number {
  return offset + length;
}

function appendFirst(text: string, { offset, length, type }: Node, item: string): TextEdit {
  if (type === 'array') return insertAt(offset + 1, item);
  const inner = text.slice(offset + 1, offset + length - 1);
  if (inner === '') return insertAt(offset + 1, ` ${item} `);
  const lineBreak = /\r?\n/.exec(inner)?.[0];
  const outer = /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
  return insertAt(offset + 1, lineBreak === undefined ? item : `${lineBreak}${outer}  ${item}`);
}

function removeOnly(text: string, container: Node, item: Node): TextEdit {
  if (container.type === 'array') return remove(item.offset, endOf(item));
  const before = text.slice(container.offset + 1, item.offset);
  const after = text.slice(endOf(item), endOf(container) - 1);
  if (before === ' ' && after === ' ') return remove(container.offset + 1, endOf(container) - 1);
  return remove(lineStartOrBlanks(text, item, container.offset + 1), endOf(item));
}

/** Where the line break or the blanks before an item begin, unless they separate the following text from a comment. */
function lineStartOrBlanks(text: string, item: Node, from: number): number {
  const isNeeded = text.slice(from, item.offset).includes('//') && lineBreakAfter(text, endOf(item)) === undefined;
  if (isNeeded) return item.offset;
  return Math.max(from, lineBreakBefore(text, item.offset) ?? blanksBefore(text, item.offset));
}

/** The line break and blanks before a node that is the first in its line. */
function lineBreakOf(text: string, node: Node): string | undefined {
  const start = lineBreakBefore(text, node.offset);
  const indent = indentAt(text, node.offset) ?? '';
  return start === undefined ? undefined : text.slice(start, node.offset - indent.length) + indent;
}

/** The offset of the comma after a value, after blanks and comments. */
function commaAfter(text: string, offset: number): number | undefined {
  const end = endOfMatch(/(?:[ \t\r\n]|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y, text, offset);
  return text[end] === ',' ? end : undefined;
}

/** Where the comments at the end of the line end; `offset` if something else follows. */
function afterComments(text: string, offset: number): number {
  const end = endOfMatch(/(?:[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/))*/y, text, offset);
  return lineBreakAfter(text, end) === undefined ? offset : end;
}

function endOfMatch(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return offset + (pattern.exec(text)?.[0].length ?? 0);
}

function blanksBefore(text: string, offset: number): number {
  return text.slice(0, offset).replace(/[ \t]+$/, '').length;
}

function blanksAfter(text: string, offset: number): number {
  return endOfMatch(/[ \t]*/y, text, offset);
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

function insertAt(offset: number, text: string): TextEdit {
  return { start: offset, end: offset, text };
}

function remove(start: number, end: number): TextEdit {
  return { start, end, text: '' };
}
