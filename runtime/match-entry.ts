/**
 * Decides what answers a path, and who receives which document: the same code for the server, the client and
 * development. @module
 */
export { admitsHtml, namesHtml } from './http/accept.ts';
export { DATA_PARAMETER, REDIRECT_HEADER } from './routing/data-request.ts';
export { createMatcher } from './routing/match.ts';
export type { Match, Matcher } from './routing/match.ts';
export { isDecodable } from './routing/pathname.ts';
export { toCanonicalPath } from './routing/trailing-slash.ts';
export type { TrailingSlash } from './routing/trailing-slash.ts';
