export type { CompleteAuthSessionOptions } from './complete.ts';
export type { AuthSessionOpenOptions, WebBrowserOpenOptions, WebBrowserWindowFeatures } from './options.ts';
export type {
  WebBrowserAuthSessionResult,
  WebBrowserCompleteAuthSessionResult,
  WebBrowserRedirectResult,
  WebBrowserResult,
} from './result.ts';
