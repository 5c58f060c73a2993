import '../../../../lib/shared/page/of-pages.ts';
import { useLoaderData } from 'appkit-router';
import { orderOf } from '../../../../lib/shared/order.ts';

/** The order in which its imported modules ran. */
export function loader() {
  return orderOf('page').join(', ');
}

export default function Alone() {
  return <p>{useLoaderData<typeof loader>()}</p>;
}
