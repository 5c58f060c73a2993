import { Suspense, use } from 'react';
import type { ReactNode } from 'react';
import type { GivenFailure } from './given-error.ts';
import { createDataReader } from './read-data.ts';
import type { DataReader } from './read-data.ts';
import type { Site } from './site.ts';
import type { WrittenPart } from './write-data.ts';

/** The element that tells the client what the server has rendered. */
const GIVEN_ID = 'appkit-page';

/** What the server has rendered. */
export interface GivenPage {
  /** The entry of the client in the document. If a response names another, it is from another release. */
  client?: string;
  /** The pattern of the page. Absent if the client must find it, as with one HTML file for every URL. */
  pattern?: string;
  /** Whether it is a `+not-found` page. */
  isNotFound?: boolean;
  params?: Record<string, string>;
  /** The data of each layout, the outermost first, and of the page. */
  data?: readonly unknown[];
  /** The result of its action. */
  actionData?: unknown;
  /** The path and query for which it was rendered. The address bar may have others: HTML in a file has no query. */
  renderedAt?: string;
  /** A layout or the page has failed, and the `ErrorBoundary` at this level is shown. */
  failure?: GivenFailure;
}

/** {@link GivenPage} as written in the document. */
export interface Given {
  text: string;
  parts: readonly GivenPart[];
}

/** The result of a promise in the data. */
interface GivenPart {
  id: number;
  /** Its text, and the parts that it mentions. Suspends until it is ready. */
  read: () => Given;
}

/**
 * The entire document: the same on the server and on the client, so that React can hydrate it.
 *
 * @param props – `given` is absent if no client hydrates it.
 */
export function Document({
  Html,
  given,
  children,
}: Pick<Site, 'Html'> & { given: Given | undefined; children: ReactNode }): ReactNode {
  return (
    <Html>
      {children}
      {given && <Data id={GIVEN_ID} text={given.text} />}
      {given && <Parts parts={given.parts} />}
    </Html>
  );
}

/** Data, not a script: it never runs, and no Content-Security-Policy blocks it. */
function Data({ id, text }: { id: string; text: string }): ReactNode {
  // `<` could end the element. In JSON it occurs only in strings.
  const __html = text.replaceAll('<', String.raw`\u003c`);
  return <script id={id} type="application/json" dangerouslySetInnerHTML={{ __html }} />;
}

/** Each part is sent as soon as it is ready. */
function Parts({ parts }: { parts: readonly GivenPart[] }): ReactNode {
  return parts.map((part) => (
    <Suspense key={part.id}>
      <Part part={part} />
    </Suspense>
  ));
}

function Part({ part }: { part: GivenPart }): ReactNode {
  const { text, parts } = part.read();
  return (
    <>
      <Data id={toPartId(part.id)} text={text} />
      <Parts parts={parts} />
    </>
  );
}

function toPartId(id: number): string {
  return `${GIVEN_ID}-${id}`;
}

/** The server's data, for the document that it is rendering. */
export function toGiven({ text, parts }: { text: string; parts: readonly WrittenPart[] }): Given {
  return {
    text,
    parts: parts.map(({ id, written }) => {
      const given = written.then(toGiven);
      return { id, read: () => use(given) };
    }),
  };
}

/** Reads the data in the document, for the client that hydrates it. */
export function readGiven(): { page: GivenPage; given: Given } {
  const text = textOf(GIVEN_ID);
  const reader = createDataReader();
  const page = reader.read(text ?? '[{}]') as GivenPage;
  return { page, given: { text: text ?? '[{}]', parts: toParts(reader, reader.waiting()) } };
}

/** React hydrates a part once it is in the document. */
function toParts(reader: DataReader, ids: readonly number[]): GivenPart[] {
  return ids.map((id) => {
    let given: Given | undefined;
    return { id, read: () => (given ??= readPart(reader, id)) };
  });
}

function readPart(reader: DataReader, id: number): Given {
  const text = textOf(toPartId(id));
  const before = new Set(reader.waiting());
  // React renders here the parts that the server could not finish.
  if (text === undefined) reader.fail(id, new Error('The server ended the page before all of its data arrived.'));
  else reader.readPart(text);
  return {
    text: text ?? '',
    parts: toParts(
      reader,
      reader.waiting().filter((other) => !before.has(other)),
    ),
  };
}

function textOf(id: string): string | undefined {
  return document.getElementById(id)?.textContent ?? undefined;
}
