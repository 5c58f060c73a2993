import '../../../../lib/shared/pages/of-pages.ts';
import { useLoaderData } from 'appkit-router';
import { orderOf } from '../../../../lib/shared/order.ts';

/** Shares a module with the page that is asked for. No behaviour asks for this one. */
export function loader() {
  return orderOf('pages').join(', ');
}

export default function Other() {
  return <p>{useLoaderData<typeof loader>()}</p>;
}
