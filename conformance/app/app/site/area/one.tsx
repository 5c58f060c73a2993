import { useLoaderData } from 'appkit-router';

export function loader() {
  return { page: 'of the page' };
}

export default function One() {
  return <h1>{`Data ${useLoaderData<typeof loader>().page}`}</h1>;
}
