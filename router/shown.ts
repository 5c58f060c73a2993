import type { LoadedPage } from './site.ts';

/** Where a page is shown: a URL of the app, and its entry in the history of the browser. */
export interface Place {
  pathname: string;
  search: string;
  hash: string;
  /** Names the entry in the history. */
  key: string;
}

/** How a page came to be shown: by going forward, by the buttons of the browser, or by loading it once more. */
export type Arrival = 'push' | 'replace' | 'pop' | 'refresh';

/** What the browser shows. */
export interface Shown {
  place: Place;
  /** Absent until the first page has been loaded, in a document without one. */
  loaded?: LoadedPage | undefined;
  /** How it came. Absent for the document's first page. */
  arrival?: Arrival;
  /** Its path is that of what was shown before, perhaps with another query. */
  isSamePath?: boolean;
}
