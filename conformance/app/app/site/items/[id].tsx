import { useLoaderData, useLocalSearchParams } from 'appkit-router';

export function loader(request: Request, params: Record<string, string>) {
  const { pathname, search } = new URL(request.url);
  return { params, pathname, search, method: request.method, cookie: request.headers.get('cookie') };
}

export default function Item() {
  const data = useLoaderData<typeof loader>();
  return (
    <main>
      <h1>{`Item ${data.params['id']}`}</h1>
      <pre>{JSON.stringify(useLocalSearchParams())}</pre>
    </main>
  );
}
