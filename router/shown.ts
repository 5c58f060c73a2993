import type { LoadedPage } from './site.ts';

/** A page's location: a URL of the app, and its entry in the browser's history. */
export interface Place {
  pathname: string;
  search: string;
  hash: string;
  /** The name of the history entry. */
  key: string;
}

/** How a page came to be shown: by going forward, by the buttons of the browser, or by loading it once more. */
export type Arrival = 'push' | 'replace' | 'pop' | 'refresh';

/** What the browser shows. */
export interface Shown {
  place: Place;
  /** Absent until the first page has been loaded, in a document without one. */
  loaded?: LoadedPage | undefined;
  /** How the page was reached. Absent for the document's first page. */
  arrival?: Arrival;
  /** Whether its path equals the previous page's path, perhaps with another query. */
  isSamePath?: boolean;
  /** Whether a form has led to it. */
  isForm?: boolean | undefined;
}
