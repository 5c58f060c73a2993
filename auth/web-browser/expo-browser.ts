import type * as expoWebBrowser from 'expo-web-browser';
import type { NativeBrowser, NativeBrowserResult } from './native-browser.ts';
import { toNativeOptions } from './native-options.ts';
import type { Platform } from './platform.ts';
import type { WebBrowserResultType } from './result.ts';

/** The used part of expo-web-browser. */
type ExpoWebBrowser = typeof expoWebBrowser;

/** The browser that expo-web-browser opens: a session of iOS, a custom tab on Android. */
export function createExpoBrowser(expo: ExpoWebBrowser, platform: Platform): NativeBrowser {
  return {
    async open(url, { redirectUrl, options }): Promise<NativeBrowserResult> {
      if (platform === 'ios')
        return toResult(await expo.openAuthSessionAsync(url, redirectUrl, toNativeOptions(options)));
      // Its Android sessions end when the app is first shown again, and compare only the beginning of links.
      const { type } = await expo.openBrowserAsync(url, toNativeOptions(options));
      if (type !== 'opened') throw new Error(`expo-web-browser answered ${type}.`);
      return { type };
    },
    async openPage(url, options) {
      const { type } = await expo.openBrowserAsync(url, toNativeOptions(options));
      return { type: type as WebBrowserResultType };
    },
    // Custom tabs cannot be closed by the app.
    ...(platform === 'ios' ? { dismiss: () => expo.dismissAuthSession() } : {}),
  };
}

function toResult({
  type,
  url,
  error,
}: Awaited<ReturnType<ExpoWebBrowser['openAuthSessionAsync']>>): NativeBrowserResult {
  if (type === 'success' && url !== undefined) return { type, url };
  if (type === 'dismiss') return { type };
  // On iOS, closing it is reported as an error too: number 1 of this domain, with a text in the device's language.
  if (type === 'cancel' && (!error || /WebAuthenticationSession\D*1\b/.test(error))) return { type };
  throw new Error(error ?? `expo-web-browser answered ${type}.`);
}
