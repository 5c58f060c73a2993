import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { loadHello } from './load-hello';
import { signIn } from './sign-in';

/** The same screen in a browser. */
export function Hello(): ReactNode {
  const [text, setText] = useState('Loading …');
  const show = (work: Promise<string>): void => void work.then(setText, (error: unknown) => setText(String(error)));
  useEffect(() => show(loadHello()), []);
  return (
    <main>
      <p>{text}</p>
      <button onClick={() => show(signIn())}>Sign in</button>
    </main>
  );
}
