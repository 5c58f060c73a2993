import { Form, useActionData } from 'appkit-router';

export async function action(request: Request): Promise<string> {
  return request.text();
}

export default function Page() {
  return (
    <Form>
      <h1>{`Said ${useActionData<typeof action>() ?? 'nothing'}`}</h1>
    </Form>
  );
}
