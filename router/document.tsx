import type { ReactNode } from 'react';
import type { Site } from './site.ts';

/** The element that tells the client what the server has rendered. */
const GIVEN_ID = 'appkit-page';

/** What the server has rendered. */
export interface GivenPage {
  /** The pattern of the page; absent when the client has to find it, as with one HTML file for every URL. */
  pattern?: string;
  /** It is a `+not-found` page. */
  isNotFound?: boolean;
  params?: Record<string, string>;
  data?: unknown;
  /** The path and query it was rendered for, which the address bar may have another of: HTML of a file has no query. */
  renderedAt?: string;
  /** The loader has failed, and the page's own `ErrorBoundary` is shown. */
  error?: GivenError;
}

/** What the client is told of an error on the server. */
export interface GivenError {
  message: string;
  status: number;
}

/** The whole document: the same on the server and on the client, so that React can take over what is there. */
export function Document({
  Html,
  given,
  children,
}: Pick<Site, 'Html'> & { given: string; children: ReactNode }): ReactNode {
  return (
    <Html>
      {children}
      {/* Data, not a script: it runs nowhere and no Content-Security-Policy minds it. */}
      <script id={GIVEN_ID} type="application/json" dangerouslySetInnerHTML={{ __html: given }} />
    </Html>
  );
}

/** Writes JSON that can stand in a `script` element: `<` could end it. */
export function writeGiven(given: GivenPage): string {
  return JSON.stringify(given).replaceAll('<', String.raw`\u003c`);
}

/** Reads what {@link writeGiven} has written, as text and as what it says. */
export function readGiven(): { given: GivenPage; text: string } {
  const text = document.getElementById(GIVEN_ID)?.textContent ?? '{}';
  return { given: JSON.parse(text) as GivenPage, text };
}
