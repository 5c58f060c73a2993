import '../../../lib/shared/of-pages.ts';
import { useLoaderData } from 'appkit-router';
import { order } from '../../../lib/shared/order.ts';

/** The order in which the modules ran, for this page or for another. */
export function loader() {
  return order.join(', ');
}

export default function AlsoOrder() {
  return <p>{useLoaderData<typeof loader>()}</p>;
}
