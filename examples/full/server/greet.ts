import { StatusError } from 'appkit-server';

const GREETINGS = new Map([
  ['ada', 'Good evening, Ada'],
  ['grace', 'Good morning, Grace'],
]);

/**
 * Greets a person.
 *
 * @throws StatusError of 404 for an unknown name.
 */
export function greet(name: string): string {
  const greeting = GREETINGS.get(name);
  if (greeting === undefined) throw new StatusError(404, `Unknown name: ${name}.`);
  return greeting;
}
