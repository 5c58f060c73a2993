import { fetchRoute, useLoaderData } from 'appkit-router';

export async function loader() {
  const response = await fetchRoute('/own/[name]', { params: { name: 'loader' } });
  return (await response.json()) as { name: string; cookie: string | null };
}

export default function Own() {
  const { name, cookie } = useLoaderData<typeof loader>();
  return (
    <p>
      {name} with {cookie}
    </p>
  );
}
