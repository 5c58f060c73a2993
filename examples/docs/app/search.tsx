import { Link, useLoaderData } from 'appkit-router';
import MiniSearch from 'minisearch';
import { useEffect, useMemo, useRef, useState } from 'react';
import { PageHead } from '../components/page-head.tsx';
import { SEARCH_OPTIONS } from '../components/search-options.ts';
import { createSearchIndex } from '../server/search.ts';

const MOST = 20;

export async function loader() {
  return { index: await createSearchIndex() };
}

export default function Search() {
  const { index } = useLoaderData<typeof loader>();
  const search = useMemo(() => MiniSearch.loadJS(index, SEARCH_OPTIONS), [index]);
  const [words, setWords] = useState('');
  const input = useRef<HTMLInputElement>(null);
  // The HTML was rendered without the words in the URL.
  useEffect(() => {
    setWords(new URLSearchParams(location.search).get('q') ?? '');
    input.current?.focus();
  }, []);
  const found = useMemo(() => search.search(words).slice(0, MOST), [search, words]);
  return (
    <main id="content" className="narrow">
      <PageHead title="Search" description="Search the appkit guide and everything that the packages export." />
      <h1>Search</h1>
      <search>
        <label htmlFor="q">Words in the guide and the API</label>
        <input
          ref={input}
          id="q"
          name="q"
          type="search"
          autoComplete="off"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      </search>
      <p role="status">{toStatus(words, found.length)}</p>
      {found.length > 0 && (
        <ul className="cards results" aria-label="Results">
          {found.map(({ id, href, title, page }) => (
            <li key={String(id)}>
              <Link href={String(href)}>{String(title)}</Link>
              <p>{String(page)}</p>
            </li>
          ))}
        </ul>
      )}
      <noscript>
        <p>The search needs JavaScript.</p>
      </noscript>
    </main>
  );
}

function toStatus(words: string, count: number): string {
  if (words.trim() === '') return '';
  if (count === 0) return `No results for all of these words: ${words}`;
  return count === 1 ? 'One place' : `${count === MOST ? 'The best ' : ''}${count} places`;
}
