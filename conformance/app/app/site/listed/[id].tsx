import { useLoaderData } from 'appkit-router';

export function generateStaticParams() {
  return [{ id: 'one' }, { id: 'two words' }];
}

export function loader(_request: Request, params: Record<string, string>) {
  return { id: params['id'], at: typeof window };
}

export default function Listed() {
  return <h1>{`Listed ${useLoaderData<typeof loader>().id}`}</h1>;
}
