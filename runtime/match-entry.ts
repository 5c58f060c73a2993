/** Which of several patterns answers a path: the one ranking of server and client. @module */
export { createMatcher } from './match.ts';
export type { Match, Matcher } from './match.ts';
export { isDecodable } from './pathname.ts';
