// In place of server.ts, for `npm run conformance -- --fetch`: what the generic behaviours are asked of.
export { fetch } from '../generic/fixture/index.ts';
