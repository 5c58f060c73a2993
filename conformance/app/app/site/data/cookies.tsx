import { useLoaderData } from 'appkit-router';
import { cookies } from 'appkit-server/cookies';

interface Data {
  theme: string;
}

export function loader(): Data {
  const theme = cookies().get('theme') ?? 'none';
  cookies().set('seen', theme);
  return { theme };
}

export function action(): Data {
  cookies().set('theme', 'from the action');
  return { theme: 'changed' };
}

export default function Cookies() {
  return <p>{`theme ${useLoaderData<typeof loader>().theme}`}</p>;
}
