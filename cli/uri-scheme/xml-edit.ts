import { indentAt, lineBreakAfter, lineBreakBefore } from './text-edit.ts';
import type { TextEdit } from './text-edit.ts';
import type { XmlElement } from './xml.ts';

/** Lines of XML; those of an inner list are indented one step further. */
export type XmlLines = readonly (string | XmlLines)[];

/**
 * Adds lines as the last children of an element, in the existing indentation and line breaks.
 *
 * The element's previous content decides the layout, so that {@link removeChildren} can recognize it and restore the
 * original text byte for byte: `<a/>`, `<a></a>`, blanks alone, or children.
 */
export function appendChildren(text: string, parent: XmlElement, lines: XmlLines): TextEdit {
  const { openEnd, closeStart, isSelfClosing, name } = parent;
  const inline = flatten(lines).join(' ');
  if (isSelfClosing) return { start: openEnd - 2, end: openEnd, text: `>${inline}</${name}>` };

  const inner = text.slice(openEnd, closeStart);
  if (inner === '') return insertAt(openEnd, ` ${inline}`);
  const contentEnd = openEnd + inner.replace(/[ \t\r\n]+$/, '').length;
  const lineBreak = lineBreakAfter(text, contentEnd);
  if (contentEnd === openEnd || lineBreak === undefined) return insertAt(contentEnd, inline);

  const { indent, unit } = indentation(text, parent);
  return insertAt(
    contentEnd,
    flatten(lines, indent, unit)
      .map((line) => lineBreak + line)
      .join(''),
  );
}

/** Removes adjacent elements, from the first to the last, with their lines if these contain nothing else. */
export function removeChildren(
  text: string,
  parent: XmlElement,
  first: XmlElement,
  last: XmlElement = first,
): TextEdit {
  const before = text.slice(parent.openEnd, first.start);
  const after = text.slice(last.end, parent.closeStart);
  if (before === '' && after === '') return { start: parent.openEnd - 1, end: parent.end, text: '/>' };
  if (before === ' ' && after === '') return { start: parent.openEnd, end: last.end, text: '' };

  const lineBreak = lineBreakBefore(text, first.start);
  const hasOwnLines = lineBreak !== undefined && lineBreakAfter(text, last.end) !== undefined;
  return { start: hasOwnLines ? lineBreak : first.start, end: last.end, text: '' };
}

/** Whether an element contains only these children, with blanks around them, as {@link appendChildren} writes. */
export function holdsOnly(text: string, parent: XmlElement, first: XmlElement, last: XmlElement = first): boolean {
  const around = [text.slice(parent.openEnd, first.start), text.slice(last.end, parent.closeStart)];
  return around.every((blanks) => /^[ \t\r\n]+$/.test(blanks));
}

/** Text as it is written between tags. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function insertAt(offset: number, text: string): TextEdit {
  return { start: offset, end: offset, text };
}

function flatten(lines: XmlLines, indent = '', unit = ''): string[] {
  return lines.flatMap((line) => (typeof line === 'string' ? [indent + line] : flatten(line, indent + unit, unit)));
}

/** The indentation of an element's children, and the additional indentation of their children. */
function indentation(text: string, parent: XmlElement): { indent: string; unit: string } {
  const outer = indentAt(text, parent.start) ?? '';
  const siblings = parent.children.toReversed();
  const indent = firstOf(siblings, ({ start }) => indentAt(text, start));
  const inner = firstOf(siblings, ({ start, children: [child] }) => {
    const outer = indentAt(text, start);
    return child && outer !== undefined ? stepBetween(outer, indentAt(text, child.start)) : undefined;
  });
  const unit = inner ?? stepBetween(outer, indent) ?? (outer.startsWith('\t') ? '\t' : '  ');
  return { indent: indent ?? outer + unit, unit };
}

function stepBetween(outer: string, inner: string | undefined): string | undefined {
  return inner?.startsWith(outer) && inner !== outer ? inner.slice(outer.length) : undefined;
}

function firstOf<T, R>(values: readonly T[], read: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const result = read(value);
    if (result !== undefined) return result;
  }
  return undefined;
}
