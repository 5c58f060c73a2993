export { dismissAuthSession, getRedirectResult, openAuthSessionAsync, openBrowserAsync } from './auth-session.ts';
export { maybeCompleteAuthSession } from './complete.ts';
import type { Platform } from './platform.ts';

/** Where this code runs, as chosen by the bundler. A page rendered on a server has the server's value, `node`. */
export const platform: Platform = 'web';
export { WebBrowserResultType } from './result.ts';
export type * from './types.ts';
