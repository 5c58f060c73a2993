import { fetch } from 'appkit-router';
// A type is not code: the route itself stays on the server.
import type { Hello } from '../app/hello+api.ts';

/** Requests a greeting from the app's own server. */
export async function loadHello(): Promise<string> {
  const response = await fetch('/hello?name=app');
  const { greeting }: Hello = await response.json();
  return greeting;
}
