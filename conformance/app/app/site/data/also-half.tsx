import { useLoaderData } from 'appkit-router';

/** All that the module exports, once it has loaded. */
export async function loader() {
  const { default: half } = await import('../../../lib/shared/half-of-pages.cjs');
  return JSON.stringify(half);
}

export default function AlsoHalf() {
  return <p>{useLoaderData<typeof loader>()}</p>;
}
