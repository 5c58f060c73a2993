/**
 * The tokens of a user for an app without a server: stored, refreshed once for all callers and tabs, and deleted in
 * all tabs.
 *
 * @module
 */
export { createSession } from './client-session.ts';
export type { Session, SessionConfig } from './client-session.ts';
export type { SessionEvent, SessionState } from './client-session-state.ts';
export type { SessionStorage } from './client-session-store.ts';
export { fetchWithSession } from './fetch-with-session.ts';
