export function loader(): string {
  return 'data';
}

export default function Throws(): never {
  throw new Error('a secret of the page');
}

export function ErrorBoundary({ error }: { error: Error }) {
  return <h1>{error.message}</h1>;
}
