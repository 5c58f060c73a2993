let navigation;
/** Binds {@link router} and links to what `hydrate` has made. */
export function bindNavigation(bound) {
    navigation = bound;
}
/** Goes to pages from anywhere in client code. It throws where there is no client, as while a page is rendered on a server. */
export const router = {
    push: (href) => void bound('push').navigate(href),
    replace: (href) => void bound('replace').navigate(href, { replace: true }),
    back: () => void bound('back').navigate(-1),
    forward: () => void bound('forward').navigate(1),
    refresh: () => void bound('refresh').revalidate(),
};
/** The {@link Router}, for those who like it as a hook. */
export function useRouter() {
    return router;
}
/** Loads the code of a page, if the URL is one of the app. */
export function prefetchPage(href) {
    if (!navigation || !URL.canParse(href, document.baseURI))
        return;
    const url = new URL(href, document.baseURI);
    if (url.origin === location.origin)
        navigation.prefetch(url);
}
function bound(method) {
    if (navigation)
        return navigation.router;
    throw new Error(`router.${method} was called where no page is shown yet. Call it in an event handler or an effect.`);
}
