import { useLoaderData } from 'react-router';

export function loader({ request }: { request: Request }) {
  return { path: new URL(request.url).pathname };
}

export default function Home() {
  const { path } = useLoaderData<typeof loader>();
  return <h1>Home at {path}</h1>;
}
