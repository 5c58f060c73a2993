export function loader() {
  return new Response('no data');
}

export default function Plain() {
  return <h1>Never seen</h1>;
}

export function ErrorBoundary() {
  return <h1>No data</h1>;
}
