import { useLoaderData } from 'appkit-router';

export function loader() {
  const ring: { name: string; self?: unknown } = { name: 'ring' };
  ring.self = ring;
  return {
    date: new Date(0),
    map: new Map([['a', new Set([1])]]),
    big: 12345678901234567890n,
    url: new URL('https://example.com/x'),
    nothing: undefined,
    ring,
  };
}

export default function Values() {
  const { date, map, big, url, nothing, ring } = useLoaderData<typeof loader>();
  const seen = [date.getTime(), map.get('a')?.has(1), big + 1n, url.host, nothing, ring.self === ring];
  return <h1>{seen.map(String).join(' ')}</h1>;
}
