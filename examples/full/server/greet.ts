import { StatusError } from 'appkit-server';

const GREETINGS = new Map([
  ['ada', 'Good evening, Ada'],
  ['grace', 'Good morning, Grace'],
]);

/**
 * Greets somebody.
 *
 * @throws StatusError of 404 for somebody unknown.
 */
export function greet(name: string): string {
  const greeting = GREETINGS.get(name);
  if (greeting === undefined) throw new StatusError(404, `There is nobody called ${name}.`);
  return greeting;
}
