import { useLoaderData } from 'appkit-router';

export function loader() {
  const headers = { 'x-loader': 'a response', 'set-cookie': 'loader=json' };
  return Response.json({ redirect: '/site' }, { status: 203, headers });
}

export default function Json() {
  return <h1>{JSON.stringify(useLoaderData())}</h1>;
}
