import { useLoaderData } from 'appkit-router';

export function loader() {
  return { text: '</script><script>alert(1)</script>&<!--' };
}

export default function Text() {
  return <p>{useLoaderData<typeof loader>().text}</p>;
}
