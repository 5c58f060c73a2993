import { Slot, useLoaderData } from 'appkit-router';
import type { ErrorBoundaryProps } from 'appkit-router';
import { StatusError } from 'appkit-server';

export function loader(request: Request) {
  if (new URL(request.url).searchParams.has('closed')) throw new StatusError(503, 'The area is closed');
  return { area: 'of the layout' };
}

export default function AreaLayout() {
  return (
    <div id="area-layout">
      <p>{`Data ${useLoaderData<typeof loader>().area}`}</p>
      <Slot />
    </div>
  );
}

export function ErrorBoundary({ error }: ErrorBoundaryProps) {
  return <h1>{`Area: ${error instanceof Error ? error.message : 'unknown'}`}</h1>;
}
