// The pages are those of the web. What a native app has of this package is the way to its server.
export { fetch, fetchRoute } from './fetch.native.ts';
export type { FetchRouteOptions } from './fetch-route.ts';
export type { Href, Register } from './register.ts';
