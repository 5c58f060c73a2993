import { SaxesParser } from 'saxes';
import type { SourceFile } from './source-file.ts';
import { errorAt } from './uri-scheme-error.ts';

/** An attribute. */
export interface XmlAttribute {
  /** Its name as written, with its prefix. */
  name: string;
  /** Its name without the prefix. */
  local: string;
  /** The namespace of its prefix, or ''. */
  uri: string;
  value: string;
}

/** An element and the positions of its tags in the text. */
export interface XmlElement {
  name: string;
  attributes: XmlAttribute[];
  children: XmlElement[];
  /** Its own text, without comments, with entities resolved. */
  text: string;
  /** Where its start tag begins. */
  start: number;
  /** Where its start tag ends. */
  openEnd: number;
  /** Where its end tag begins; equal to `openEnd` when there is none. */
  closeStart: number;
  /** Where it ends. */
  end: number;
  isSelfClosing: boolean;
}

/**
 * Parses an XML file into elements with their positions.
 *
 * @throws UriSchemeError with the place when it is not well-formed.
 */
export function parseXml(file: SourceFile): XmlElement {
  const { text } = file;
  const parser = new SaxesParser({ xmlns: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let tagStart = 0;

  parser.on('error', ({ message }) => {
    const reason = message.replace(/^[\d:]+ /, '').replace(/\.$/, '');
    const offset = Math.min(text.length, Math.max(0, parser.position - 1));
    throw errorAt('ERR_FILE_MALFORMED', { ...file, offset }, `This is not well-formed XML: ${reason}.`, FIX_XML);
  });
  // At this point the parser has read the name and the character after it.
  parser.on('opentagstart', () => (tagStart = text.lastIndexOf('<', parser.position - 1)));
  parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
    const element: XmlElement = {
      name,
      attributes: Object.values(attributes).map(({ name, local, uri, value }) => ({ name, local, uri, value })),
      children: [],
      text: '',
      start: tagStart,
      openEnd: parser.position,
      closeStart: parser.position,
      end: parser.position,
      isSelfClosing,
    };
    root ??= element;
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (text: string): void => {
    const parent = open.at(-1);
    if (parent) parent.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', ({ isSelfClosing }) => {
    const element = open.pop();
    if (!element || isSelfClosing) return;
    element.end = parser.position;
    element.closeStart = text.lastIndexOf('<', parser.position - 1);
  });
  parser.write(text).close();
  if (root) return root;
  throw errorAt('ERR_FILE_MALFORMED', { ...file, offset: 0 }, 'This is not XML.', FIX_XML);
}

/** The children of this name. */
export function childrenOf(element: XmlElement, ...names: string[]): XmlElement[] {
  return element.children.filter(({ name }) => names.includes(name));
}

const FIX_XML = 'Correct it there, and run this again. Nothing was written.';
