import type { ReactNode } from 'react';
import type { LoadedPage } from './site.ts';
/** The page within its layouts. */
export declare function PageTree(): ReactNode;
/** What stands in for a page, within the page's layouts. */
export declare function WithLayouts({ loaded, content }: {
    loaded: LoadedPage;
    content: ReactNode;
}): ReactNode;
/** Where a layout shows the page, or the next layout around it. */
export declare function Slot(): ReactNode;
/** The page that is shown. */
export declare function useLoadedPage(hook: string): LoadedPage;
