export function loader(): never {
  throw new Response(null, { status: 303, headers: { location: '/site' } });
}

export default function Away() {
  return <h1>Never seen</h1>;
}
