import { useState } from 'react';

/** The answer of app/hello+api.ts. */
type Hello = { hello: string };

export default function Home() {
  const [answer, setAnswer] = useState<Hello>();
  const ask = async (): Promise<void> => {
    const response = await fetch('/hello?name=you');
    setAnswer((await response.json()) as Hello); // our own route
  };
  return (
    <main>
      <title>My app</title>
      <h1>It works</h1>
      <p>
        This page is <code>app/index.tsx</code>.
      </p>
      <button onClick={() => void ask()}>Ask the route</button>
      <output>{answer && ` Hello, ${answer.hello}`}</output>
    </main>
  );
}
