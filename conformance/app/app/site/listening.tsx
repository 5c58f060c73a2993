import { listenFor, watch } from '../../lib/answered-requests.ts';

/** Listens to the signal of the request, which after an action is not the one that has arrived. */
export async function loader(request: Request): Promise<null> {
  listenFor(request);
  return null;
}

/** Nothing here listens, but what renders the page does. */
export async function action(request: Request): Promise<number> {
  watch(request);
  return [...(await request.formData())].length;
}

export default function Page() {
  return <h1>Listening</h1>;
}
