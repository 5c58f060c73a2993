export {
  dismissAuthSession,
  getRedirectResult,
  maybeCompleteAuthSession,
  openAuthSessionAsync,
  openBrowserAsync,
} from './native-auth-session.ts';
export { registerBrowser } from './native-browser.ts';
export type { NativeBrowser, NativeBrowserResult } from './native-browser.ts';
export { platform } from './react-native-platform.ts';
export { WebBrowserResultType } from './result.ts';
export type * from './types.ts';
