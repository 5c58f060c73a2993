export { dismissAuthSession, getRedirectResult, openAuthSessionAsync, openBrowserAsync } from './auth-session.ts';
export { maybeCompleteAuthSession } from './complete.ts';
import type { Platform } from './platform.ts';

/** Where this code runs, as chosen by the bundler. A page that is rendered on a server has the value of that, `node`. */
export const platform: Platform = 'web';
export { WebBrowserResultType } from './result.ts';
export type * from './types.ts';
