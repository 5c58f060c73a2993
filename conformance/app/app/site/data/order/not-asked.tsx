import '../../../../lib/shared/page/of-page.ts';
import '../../../../lib/shared/page/of-pages.ts';
import { useLoaderData } from 'appkit-router';
import { orderOf } from '../../../../lib/shared/order.ts';

/** Shares a module with the page that is asked for, and has one of its own. No behaviour asks for this one. */
export function loader() {
  return orderOf('page').join(', ');
}

export default function NotAsked() {
  return <p>{useLoaderData<typeof loader>()}</p>;
}
