// Replaces server.ts for `npm run conformance -- --fetch`: the server that the generic behaviours run against.
export { fetch } from '../generic/fixture/index.ts';
