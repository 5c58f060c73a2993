// Pages are for the web. A native app uses this package only to reach its server.
export { fetch, fetchRoute } from './fetch.native.ts';
export type { FetchRouteOptions } from './fetch-route.ts';
export type { Href, Register } from './register.ts';
