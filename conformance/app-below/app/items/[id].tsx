import { useLoaderData, usePathname } from 'appkit-router';

export function loader(request: Request, { id }: { id: string }) {
  return { id, asked: new URL(request.url).pathname };
}

export default function Item() {
  const { id, asked } = useLoaderData<typeof loader>();
  return <h1>{`Item ${id} asked by ${asked} at ${usePathname()}`}</h1>;
}
