import { jsx as _jsx } from "react/jsx-runtime";
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { Document, readGiven } from './document.js';
import { createPageFinder } from './find-page.js';
import { loadOnClient } from './load-on-client.js';
import { bindNavigation } from './navigation.js';
import { LoaderError, PAGE_ROUTE, toPageRoute, toServerError } from './page-route.js';
import { loadModules } from './site.js';
/** Brings the page that the server has rendered to life, and takes over navigation. Called by the entry of the client bundle. */
export async function hydrate(site) {
    const { given, text } = readGiven();
    const find = createPageFinder(site);
    const initial = await loadGiven(site, given);
    const router = createBrowserRouter([toPageRoute((request) => loadOnClient({ site, find }, request))], initial && { hydrationData: toHydrationData(initial, given.error) });
    bindNavigation({
        router,
        prefetch: ({ pathname }) => {
            const found = find(pathname);
            // A page that cannot be loaded says so when somebody goes there.
            if (typeof found === 'object')
                loadModules(found.page).catch(() => undefined);
        },
    });
    startTransition(() => {
        hydrateRoot(document, _jsx(StrictMode, { children: _jsx(Document, { Html: site.Html, given: text, children: _jsx(RouterProvider, { router: router }) }) }));
    });
}
/** The state of navigation in which the server has rendered the page. */
function toHydrationData(initial, error) {
    const known = { loaderData: { [PAGE_ROUTE]: initial } };
    return error ? { ...known, errors: { [PAGE_ROUTE]: new LoaderError(toServerError(error), initial) } } : known;
}
/** The page that the server has rendered, as it was there. */
async function loadGiven(site, given) {
    const pages = given.isNotFound ? site.notFound : site.pages;
    const page = pages.find(({ pattern }) => pattern === given.pattern);
    return (page && { ...(await loadModules(page)), params: given.params ?? {}, data: given.data, renderedAt: given.renderedAt });
}
