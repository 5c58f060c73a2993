import { useLoaderData } from 'appkit-router';

export function loader() {
  return { save: () => 'a secret of the function' };
}

export default function Unsendable() {
  return <h1>{typeof useLoaderData<typeof loader>().save}</h1>;
}

export function ErrorBoundary() {
  return <h1>Not sent</h1>;
}
