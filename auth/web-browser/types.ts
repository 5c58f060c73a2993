export type { CompleteAuthSessionOptions } from './complete.ts';
export type { AuthSessionOpenOptions, WebBrowserOpenOptions, WebBrowserWindowFeatures } from './options.ts';
export type { Platform } from './platform.ts';
export type {
  WebBrowserAuthSessionResult,
  WebBrowserCompleteAuthSessionResult,
  WebBrowserRedirectResult,
  WebBrowserResult,
} from './result.ts';
