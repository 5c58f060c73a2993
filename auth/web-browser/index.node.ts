export { getRedirectResult } from './auth-session.ts';
export { maybeCompleteAuthSession } from './complete.ts';
export {
  dismissAuthSession,
  getLoopbackRedirectUrl,
  openAuthSessionAsync,
  openBrowserAsync,
} from './loopback-session.ts';
import type { Platform } from './platform.ts';

/** Where this code runs. */
export const platform: Platform = 'node';
export { WebBrowserResultType } from './result.ts';
export type * from './types.ts';
