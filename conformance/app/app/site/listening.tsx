import { listenFor } from '../../lib/answered-requests.ts';

/** Listens to the signal of the request, which after an action is not the one that has arrived. */
export async function loader(request: Request): Promise<null> {
  listenFor(request);
  return null;
}

export async function action(request: Request): Promise<string> {
  return request.text();
}

export default function Page() {
  return <h1>Listening</h1>;
}
