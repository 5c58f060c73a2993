import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Button, SafeAreaView, Text } from 'react-native';
import { loadHello } from './load-hello';
import { signIn } from './sign-in';

/** The screen of a phone. */
export function Hello(): ReactNode {
  const [text, setText] = useState('Loading …');
  const show = (work: Promise<string>): void => void work.then(setText, (error: unknown) => setText(String(error)));
  useEffect(() => show(loadHello()), []);
  return (
    <SafeAreaView>
      <Text>{text}</Text>
      <Button title="Sign in" onPress={() => show(signIn())} />
    </SafeAreaView>
  );
}
