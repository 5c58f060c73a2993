import type { ErrorBoundaryProps } from 'appkit-router';
import { StatusError } from 'appkit-server';

export function loader(): never {
  throw new StatusError(503, 'Closed today');
}

export default function Closed() {
  return <h1>Open</h1>;
}

export function ErrorBoundary({ error }: ErrorBoundaryProps) {
  return <h1>{error instanceof Error ? error.message : 'unknown'}</h1>;
}
