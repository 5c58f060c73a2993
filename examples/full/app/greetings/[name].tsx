import { useLoaderData } from 'appkit-router';
import { greet } from '../../server/greet.ts';

/** Runs on the server: neither this code nor anything that only it imports reaches the browser. */
export function loader(request: Request, { name = '' }: Record<string, string>) {
  return { text: greet(name) };
}

export default function Greeting() {
  const { text } = useLoaderData<typeof loader>();
  return (
    <main>
      <title>{text}</title>
      <h1>{text}</h1>
    </main>
  );
}
