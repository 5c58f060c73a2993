import { createContext, use } from 'react';
import type { ReactNode } from 'react';
import { DefaultError } from './default-error.tsx';
import { RenderBoundary } from './render-boundary.tsx';
import type { Retry } from './render-boundary.tsx';
import { findBoundary } from './site.ts';
import type { Level, LoadedPage } from './site.ts';

const SlotContext = createContext<ReactNode>(null);
const PageContext = createContext<LoadedPage | undefined>(undefined);
const LevelContext = createContext(0);

/** The page within its layouts, or the boundary shown in place of a failed one. */
export function PageTree({ loaded, retry }: { loaded: LoadedPage; retry: Retry }): ReactNode {
  const { levels, failure } = loaded;
  const shown = failure ? findBoundary(levels, failure.level) : levels.length;
  const Boundary = levels[shown]?.ErrorBoundary ?? DefaultError;
  let content: ReactNode = failure && (
    <LevelContext value={Math.max(shown, 0)}>
      <Boundary error={failure.error} retry={() => retry(failure.error)} />
    </LevelContext>
  );
  // If no boundary handles a failure, no layout is shown either: one of them may have failed.
  for (let index = shown - 1; index >= 0; index--) {
    content = <LevelView loaded={loaded} retry={retry} index={index} slot={content} />;
  }
  return (
    <PageContext value={loaded}>
      <RenderBoundary loaded={loaded} ErrorBoundary={DefaultError} retry={retry}>
        {content}
      </RenderBoundary>
    </PageContext>
  );
}

function LevelView({
  loaded,
  retry,
  index,
  slot,
}: {
  loaded: LoadedPage;
  retry: Retry;
  index: number;
  slot: ReactNode;
}): ReactNode {
  const { Component, ErrorBoundary } = loaded.levels[index] as Level; // the tree is made of these
  const content = (
    <SlotContext value={slot}>
      <Component />
    </SlotContext>
  );
  return (
    <LevelContext value={index}>
      {ErrorBoundary ? (
        <RenderBoundary loaded={loaded} ErrorBoundary={ErrorBoundary} retry={retry}>
          {content}
        </RenderBoundary>
      ) : (
        content
      )}
    </LevelContext>
  );
}

/** Where a layout shows the page, or the next layout around it. */
export function Slot(): ReactNode {
  return use(SlotContext);
}

/** The page that is shown. */
export function useLoadedPage(hook: string): LoadedPage {
  const loaded = use(PageContext);
  if (!loaded) throw new Error(`${hook} was called outside a page. Call it in a page, a layout, or what they render.`);
  return loaded;
}

/** The layout or the page that a component belongs to. */
export function useLevel(hook: string): Level {
  const { levels } = useLoadedPage(hook);
  return levels[use(LevelContext)] as Level; // both contexts are provided together
}
