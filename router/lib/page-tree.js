import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { createContext, use } from 'react';
import { ScrollRestoration, useLoaderData as useRouteData } from 'react-router';
import { RenderBoundary } from './render-boundary.js';
const SlotContext = createContext(null);
const PageContext = createContext(undefined);
/** The page within its layouts. */
export function PageTree() {
    const loaded = useRouteData();
    const { default: Page, ErrorBoundary } = loaded.module;
    const content = ErrorBoundary ? (_jsx(RenderBoundary, { loaded: loaded, ErrorBoundary: ErrorBoundary, children: _jsx(Page, {}) })) : (_jsx(Page, {}));
    return (_jsxs(_Fragment, { children: [_jsx(WithLayouts, { loaded: loaded, content: content }), _jsx(ScrollRestoration, {})] }));
}
/** What stands in for a page, within the page's layouts. */
export function WithLayouts({ loaded, content }) {
    const nested = loaded.layouts.reduceRight((inner, Layout) => (_jsx(SlotContext, { value: inner, children: _jsx(Layout, {}) })), content);
    return _jsx(PageContext, { value: loaded, children: nested });
}
/** Where a layout shows the page, or the next layout around it. */
export function Slot() {
    return use(SlotContext);
}
/** The page that is shown. */
export function useLoadedPage(hook) {
    const loaded = use(PageContext);
    if (!loaded)
        throw new Error(`${hook} was called outside of a page. Call it in a page, a layout, or what they render.`);
    return loaded;
}
