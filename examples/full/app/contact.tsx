import { Form, useActionData, useIsSubmitting, useLoaderData } from 'appkit-router';
import { enqueue } from 'appkit-server/jobs';
import mail from './mail+job.ts';

/** Each form has a key of its own: sending the same form twice sends one mail. */
export function loader() {
  return { key: crypto.randomUUID() };
}

/** Answers the form once the mail is stored. `app/mail+job.ts` sends it. */
export async function action(request: Request) {
  const form = await request.formData();
  const [from, text, key] = ['from', 'text', 'key'].map((name) => String(form.get(name)).trim());
  // The client may send any key, and a key that is too long would be refused as our mistake.
  if (!from || !text || !key || key.length > 200)
    return Response.json({ said: 'Write your address and a message.' }, { status: 422 });
  try {
    await enqueue(mail, { from, text }, { key });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_JOB_INPUT') throw error;
    return Response.json({ said: 'This is not a valid address, or the message is too long.' }, { status: 422 });
  }
  return { said: 'Your message is on its way.' };
}

export default function Contact() {
  const { key } = useLoaderData<typeof loader>();
  const said = useActionData<typeof action>()?.said;
  return (
    <main>
      <title>Contact</title>
      <h1>Write to us</h1>
      <Form>
        <input type="hidden" name="key" value={key} />
        <p>
          <label>
            Your address <input name="from" type="email" required />
          </label>
        </p>
        <p>
          <label>
            Your message <textarea name="text" required maxLength={2000} />
          </label>
        </p>
        <button disabled={useIsSubmitting()}>Send</button>
        <p role="status">{said}</p>
      </Form>
    </main>
  );
}
