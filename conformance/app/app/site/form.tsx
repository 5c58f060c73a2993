import { Form, useActionData, useLoaderData } from 'appkit-router';
import type { ErrorBoundaryProps } from 'appkit-router';
import { setResponseHeaders, StatusError } from 'appkit-server';

export function loader(request: Request) {
  return { method: request.method, type: request.headers.get('content-type') };
}

export async function action(request: Request) {
  const fields = await request.formData();
  const text = String(fields.get('text'));
  switch (text) {
    case 'refuse':
      return Response.json({ problem: 'No' }, { status: 422, headers: { 'x-action': 'refused' } });
    case 'leave':
      return new Response(null, { status: 303, headers: { location: '/site', 'set-cookie': 'sent=1' } });
    case 'throw':
      throw new StatusError(409, 'There is one');
    case 'lose':
      throw new StatusError(404);
    default:
      setResponseHeaders({ 'x-action': 'ran' });
      return { text, search: new URL(request.url).search, at: new Date(0) };
  }
}

export default function Page() {
  const said = useActionData<typeof action>();
  const { method, type } = useLoaderData<typeof loader>();
  return (
    <Form>
      <h1>{`Said ${JSON.stringify(said ?? null)}`}</h1>
      <p>{`Loaded by ${method} ${String(type)}`}</p>
    </Form>
  );
}

export function ErrorBoundary({ error }: ErrorBoundaryProps) {
  return <h1>{error instanceof Error ? error.message : 'unknown'}</h1>;
}
