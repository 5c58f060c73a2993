import { useEffect, useState } from 'react';

/** Which part of a matrix is shown. */
export interface Filter {
  /** Words in the name of a behaviour, in its kind or in its source. */
  words: string;
  /** A host or a peer. Empty: all. */
  column: string;
  onlyGaps: boolean;
}

const EVERYTHING: Filter = { words: '', column: '', onlyGaps: false };

/**
 * A filter that is kept in the query of the URL, so that its results can be linked to.
 *
 * @param name – what the query calls a column: `host`.
 */
export function useFilter(name: string, columns: readonly string[]): [Filter, (filter: Partial<Filter>) => void] {
  const [filter, setFilter] = useState(EVERYTHING);
  // The HTML was rendered without a query.
  useEffect(() => setFilter(readQuery(name, columns)), [name, columns]);
  const change = (changed: Partial<Filter>): void => {
    const next = { ...filter, ...changed };
    setFilter(next);
    writeQuery(name, next);
  };
  return [filter, change];
}

/** Whether a filter excludes anything. */
export function isActive({ words, column, onlyGaps }: Filter): boolean {
  return words.trim() !== '' || column !== '' || onlyGaps;
}

function readQuery(name: string, columns: readonly string[]): Filter {
  const query = new URLSearchParams(location.search);
  const column = query.get(name) ?? '';
  return {
    words: query.get('q') ?? '',
    column: columns.includes(column) ? column : '',
    onlyGaps: query.has('gaps'),
  };
}

function writeQuery(name: string, { words, column, onlyGaps }: Filter): void {
  const url = new URL(location.href);
  const parameters = { q: words.trim(), [name]: column, gaps: onlyGaps ? 'only' : '' };
  for (const [key, value] of Object.entries(parameters)) {
    if (value === '') url.searchParams.delete(key);
    else url.searchParams.set(key, value);
  }
  // The router would load the data of the page again.
  history.replaceState(history.state, '', url);
}
