import { useLoaderData } from 'appkit-router';

export function loader(): { made: string } {
  return { made: 'on request' };
}

export default function Rendered() {
  return <h1>Rendered {useLoaderData<typeof loader>().made}</h1>;
}
