import { useLoaderData } from 'appkit-router';
import { locals } from 'appkit-server';

export function loader() {
  return { visitor: locals().visitor };
}

export default function Page() {
  return <h1>{useLoaderData<typeof loader>().visitor}</h1>;
}
