import { origin } from 'appkit-server';
import { ask, askWith } from '../lib/ask.ts';

askWith(() => origin());

/** Calls a helper. */
export function GET(): Response {
  return Response.json(ask());
}
