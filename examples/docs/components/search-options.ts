import type { Options } from 'minisearch';

/** A place that a search can find. */
export interface SearchEntry {
  id: number;
  href: string;
  title: string;
  /** The page or package that contains it. */
  page: string;
  text: string;
}

/** The index is built and read with the same options. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['href', 'title', 'page'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    // People who search want to read about a topic in the guide first.
    boostDocument: (id, term, stored) => (String(stored?.['href']).startsWith('/guide/') ? 3 : 1),
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
  },
};
