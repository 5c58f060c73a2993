import { useLoaderData } from 'appkit-router';
import { environment, origin, setResponseHeaders } from 'appkit-server';

export function loader() {
  setResponseHeaders({ 'x-loader': 'ran' });
  setResponseHeaders((headers) => headers.append('set-cookie', 'loader=1; Path=/'));
  return { origin: origin(), environment: environment(), secret: process.env['CONFORMANCE_SECRET'] ?? null };
}

export default function Helpers() {
  return <pre>{useLoaderData<typeof loader>().origin}</pre>;
}
