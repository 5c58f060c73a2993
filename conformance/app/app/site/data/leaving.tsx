export function loader(): never {
  const headers = new Headers({ location: '/site', 'x-loader': 'leaving' });
  headers.append('set-cookie', 'first=1');
  headers.append('set-cookie', 'second=2');
  throw new Response(null, { status: 303, headers });
}

export default function Leaving() {
  return <h1>Never seen</h1>;
}
