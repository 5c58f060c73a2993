/**
 * The hook for the sessions of `appkit-auth-session/session`.
 *
 * @module
 */
import { useSyncExternalStore } from 'react';
import { LOADING } from './client-session-state.ts';
import type { SessionState } from './client-session-state.ts';
import type { Session } from './client-session.ts';

/**
 * Returns whether a user is signed in, and renders the component again when that changes in any tab.
 *
 * @param session – made once, at the top level of a module.
 * @returns `loading` until the storage has been read, as in server rendering.
 */
export function useSession(session: Session): SessionState {
  return useSyncExternalStore(session.subscribe, session.getState, () => LOADING);
}
