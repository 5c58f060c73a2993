import { fetch } from 'appkit-router';
// A type is no code: the route itself stays on the server.
import type { Hello } from '../app/hello+api.ts';

/** Asks the app's own server for a greeting. */
export async function loadHello(): Promise<string> {
  const response = await fetch('/hello?name=app');
  const { greeting }: Hello = await response.json();
  return greeting;
}
