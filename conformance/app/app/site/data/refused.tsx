import type { ErrorBoundaryProps } from 'appkit-router';

export function loader(): never {
  throw new Response('Members only', { status: 403, headers: { 'x-loader': 'a response' } });
}

export default function Refused() {
  return <h1>Never seen</h1>;
}

export function ErrorBoundary({ error }: ErrorBoundaryProps) {
  return <h1>{error instanceof Error ? error.message : 'unknown'}</h1>;
}
