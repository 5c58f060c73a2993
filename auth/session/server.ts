/**
 * Sign-in whose tokens stay on the server: handlers for signing in and out, and guards, for any web-standard `Request`.
 *
 * @module
 */
export { createSessionServer } from './session-server.ts';
export type { SessionServer } from './session-server.ts';
export type { SessionHandler } from './with-session.ts';
export type { ServerSession } from './server-session.ts';
export type { OAuthSessionServerOptions, ProviderUser, SessionServerOptions } from './session-server-options.ts';
