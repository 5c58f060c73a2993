import { Form, useActionData } from 'appkit-router';

export async function action(request: Request) {
  return String((await request.formData()).get('text'));
}

export default function Page() {
  return (
    <Form action="/form">
      <h1>{`Said ${useActionData<typeof action>() ?? 'nothing'}`}</h1>
    </Form>
  );
}
