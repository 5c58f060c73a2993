import '../../../../lib/shared/pages/of-page.ts';
import '../../../../lib/shared/pages/third.ts';
import '../../../../lib/shared/pages/of-pages.ts';
import { useLoaderData } from 'appkit-router';
import { orderOf } from '../../../../lib/shared/order.ts';

/** The order in which its imported modules ran. A route shares some of them. */
export function loader() {
  return orderOf('pages').join(', ');
}

export default function All() {
  return <p>{useLoaderData<typeof loader>()}</p>;
}
