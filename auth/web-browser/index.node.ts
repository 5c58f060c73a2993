export { getRedirectResult } from './auth-session.ts';
export { maybeCompleteAuthSession } from './complete.ts';
export {
  dismissAuthSession,
  getLoopbackRedirectUrl,
  openAuthSessionAsync,
  openBrowserAsync,
} from './loopback-session.ts';
export { WebBrowserResultType } from './result.ts';
export type * from './types.ts';
