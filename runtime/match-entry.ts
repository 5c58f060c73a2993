/** What answers a path and who is given a document: the same on the server, in the client and in development. @module */
export { admitsHtml } from './accept.ts';
export { createMatcher } from './match.ts';
export type { Match, Matcher } from './match.ts';
export { isDecodable } from './pathname.ts';
