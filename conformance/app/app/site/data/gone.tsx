import { notFound } from 'appkit-router';

export function loader(): never {
  notFound();
}

export default function Gone() {
  return <h1>Never seen</h1>;
}

export function ErrorBoundary() {
  return <h1>Never seen either</h1>;
}
