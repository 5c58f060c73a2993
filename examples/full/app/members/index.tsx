import { Form, useLoaderData } from 'appkit-router';
import { locals } from 'appkit-server';
import { session } from '../../server/session.ts';

/** Reads the value that this folder's middleware has set. */
export function loader() {
  return { name: locals().member ?? '' };
}

/** Signs out. */
export function action() {
  session.destroy();
  return new Response(null, { status: 303, headers: { location: '/' } });
}

export default function Members() {
  const { name } = useLoaderData<typeof loader>();
  return (
    <main>
      <title>Members</title>
      <h1>Welcome, {name}</h1>
      <p>Only members see this page.</p>
      <Form>
        <button>Sign out</button>
      </Form>
    </main>
  );
}
