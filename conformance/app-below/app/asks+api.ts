import { fetchRoute } from 'appkit-router';

/** Calls another route by its pattern. */
export async function GET(): Promise<Response> {
  return fetchRoute('/hello');
}
