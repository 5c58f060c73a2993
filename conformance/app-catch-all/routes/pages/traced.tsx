import { useLoaderData } from 'appkit-router';
import { spanBelow } from '../../lib/telemetry.ts';

export function loader() {
  spanBelow('loader');
  return 'traced';
}

export default function Traced() {
  return <h1>{useLoaderData<typeof loader>()}</h1>;
}
