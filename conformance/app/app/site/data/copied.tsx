import { Form, useActionData, useLoaderData } from 'appkit-router';

export function loader(request: Request) {
  const copy = new Request(request, { headers: { 'x-copied': 'yes' } });
  return {
    isRequest: request instanceof Request,
    path: new URL(copy.url).pathname,
    copied: copy.headers.get('x-copied'),
  };
}

export async function action(request: Request) {
  const copy = new Request(request);
  return { text: await copy.text(), used: request.bodyUsed };
}

export default function Copied() {
  const { path, copied } = useLoaderData<typeof loader>();
  return (
    <Form>
      <h1>{`${path} ${String(copied)}`}</h1>
      <p>{useActionData<typeof action>()?.text}</p>
    </Form>
  );
}
