import 'appkit-server/server-only';
import { createHmac } from 'node:crypto';

const KEY = 'key-that-only-the-server-knows';

/** Greets a person, with a signature by which the server recognises its own greetings. */
export function greet(name: string): string {
  return `Hello ${name}! ${createHmac('sha256', KEY).update(name).digest('hex').slice(0, 8)}`;
}
