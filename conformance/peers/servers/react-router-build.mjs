/** A React Router build with one resource route for every path: the output of its compiler for such a route. */
export function toBuild(fetch) {
  const answer = ({ request }) => fetch(request);
  return {
    entry: { module: { default: () => new Response('no page', { status: 500 }) } },
    routes: {
      all: { id: 'all', path: '*', module: { loader: answer, action: answer } },
    },
    assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '1' },
    assetsBuildDirectory: 'build/client',
    basename: '/',
    publicPath: '/',
    future: {},
    isSpaMode: false,
    prerender: [],
    ssr: true,
    routeDiscovery: { mode: 'initial' },
  };
}
