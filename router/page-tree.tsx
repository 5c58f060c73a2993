import { createContext, use } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { ScrollRestoration, useLoaderData as useRouteData } from 'react-router';
import { RenderBoundary } from './render-boundary.tsx';
import type { LoadedPage } from './site.ts';

const SlotContext = createContext<ReactNode>(null);
const PageContext = createContext<LoadedPage | undefined>(undefined);

/** The page within its layouts. */
export function PageTree(): ReactNode {
  const loaded = useRouteData<LoadedPage>();
  const { default: Page, ErrorBoundary } = loaded.module;
  const content = ErrorBoundary ? (
    <RenderBoundary loaded={loaded} ErrorBoundary={ErrorBoundary}>
      <Page />
    </RenderBoundary>
  ) : (
    <Page />
  );
  return (
    <>
      <WithLayouts loaded={loaded} content={content} />
      <ScrollRestoration />
    </>
  );
}

/** What stands in for a page, within the page's layouts. */
export function WithLayouts({ loaded, content }: { loaded: LoadedPage; content: ReactNode }): ReactNode {
  const nested = loaded.layouts.reduceRight(
    (inner: ReactNode, Layout: ComponentType) => (
      <SlotContext value={inner}>
        <Layout />
      </SlotContext>
    ),
    content,
  );
  return <PageContext value={loaded}>{nested}</PageContext>;
}

/** Where a layout shows the page, or the next layout around it. */
export function Slot(): ReactNode {
  return use(SlotContext);
}

/** The page that is shown. */
export function useLoadedPage(hook: string): LoadedPage {
  const loaded = use(PageContext);
  if (!loaded)
    throw new Error(`${hook} was called outside of a page. Call it in a page, a layout, or what they render.`);
  return loaded;
}
