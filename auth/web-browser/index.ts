export { dismissAuthSession, getRedirectResult, openAuthSessionAsync, openBrowserAsync } from './auth-session.ts';
export { maybeCompleteAuthSession } from './complete.ts';
export { WebBrowserResultType } from './result.ts';
export type * from './types.ts';
