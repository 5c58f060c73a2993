import '../../../lib/shared/of-page.ts';
import '../../../lib/shared/third.ts';
import '../../../lib/shared/of-pages.ts';
import { useLoaderData } from 'appkit-router';
import { order } from '../../../lib/shared/order.ts';

/** The order in which its imported modules ran. Routes share some of them. */
export function loader() {
  return order.join(', ');
}

export default function Order() {
  return <p>{useLoaderData<typeof loader>()}</p>;
}
