import { Form, router, useActionData, useIsSubmitting, useLoaderData } from 'appkit-router';
import { StatusError } from 'appkit-server';
import { useEffect } from 'react';
import { readNames, sign } from '../server/guestbook.ts';

export function loader() {
  return { names: readNames() };
}

/** Answers the form below. It works without JavaScript too. */
export async function action(request: Request) {
  const name = String((await request.formData()).get('name')).trim();
  if (name === '') return Response.json({ problem: 'Write your name first.' }, { status: 422 });
  if (name.length > 40) throw new StatusError(422, 'This name is too long for the book.');
  sign(name);
  return { problem: '' };
}

export default function Guestbook() {
  const { names } = useLoaderData<typeof loader>();
  useEffect(refreshWhenSigned, []);
  const problem = useActionData<typeof action>()?.problem;
  return (
    <main>
      <title>Guestbook</title>
      <h1>Guestbook</h1>
      <Form>
        <label>
          Your name <input name="name" aria-describedby="problem" />
        </label>{' '}
        <button disabled={useIsSubmitting()}>Sign</button>
        <p id="problem" role="alert">
          {problem}
        </p>
      </Form>
      <ul>
        {names.map((name, index) => (
          <li key={names.length - index}>{name}</li>
        ))}
      </ul>
    </main>
  );
}

/** Loads the names again whenever somebody signs. */
function refreshWhenSigned(): () => void {
  const events = new EventSource('/guestbook/events');
  events.addEventListener('signed', () => router.refresh());
  return () => events.close();
}
