import type { InAppBrowser as inAppBrowser } from 'react-native-inappbrowser-reborn';
import type { NativeBrowser, NativeBrowserResult } from './native-browser.ts';
import { toNativeOptions } from './native-options.ts';
import type { AuthSessionOpenOptions } from './options.ts';
import type { Platform } from './platform.ts';
import type { WebBrowserResultType } from './result.ts';

/** The used part of react-native-inappbrowser-reborn. */
type InAppBrowser = typeof inAppBrowser;

/** The browser that react-native-inappbrowser-reborn opens: a session of iOS, a custom tab on Android. */
export function createInAppBrowser(inApp: InAppBrowser, platform: Platform): NativeBrowser {
  const isIos = platform === 'ios';
  let dismissals = 0;
  return {
    async open(url, { redirectUrl, options }): Promise<NativeBrowserResult> {
      const before = dismissals;
      await assertAvailable(inApp);
      // The session may have ended meanwhile: then no page is opened.
      if (dismissals !== before) return { type: 'dismiss' };
      if (isIos) return toResult(await inApp.openAuth(url, redirectUrl, toInAppOptions(options)));
      // Its Android sessions compare only the beginning of links. This reports when the tab is gone, which a link also
      // causes.
      const { type } = await inApp.open(url, toInAppOptions(options));
      return { type: type === 'dismiss' ? 'dismiss' : 'closed' };
    },
    async openPage(url, options) {
      await assertAvailable(inApp);
      const { type } = await inApp.open(url, toInAppOptions(options));
      return { type: type as WebBrowserResultType };
    },
    dismiss() {
      dismissals += 1;
      return isIos ? inApp.closeAuth() : inApp.close();
    },
  };
}

function toResult(result: Awaited<ReturnType<InAppBrowser['openAuth']>>): NativeBrowserResult {
  const { type, url, description, message } = result;
  if (type === 'success' && url !== undefined) return { type, url };
  if (type === 'dismiss') return { type };
  const why = description ?? message;
  // It describes failures, but not that the user has closed it.
  if (type === 'cancel' && why === undefined) return { type };
  throw new Error(why ?? `react-native-inappbrowser-reborn answered ${type}.`);
}

async function assertAvailable(inApp: InAppBrowser): Promise<void> {
  if (!(await inApp.isAvailable())) throw new Error('There is no browser with custom tabs on this device.');
}

/** The options under its own names. Names that are not listed are the same, and omitted options keep their defaults. */
function toInAppOptions(options: AuthSessionOpenOptions): Record<string, unknown> {
  const {
    controlsColor,
    enableDefaultShareMenuItem,
    preferEphemeralSession,
    presentationStyle,
    toolbarColor,
    ...same
  } = toNativeOptions(options);
  const renamed = {
    enableDefaultShare: enableDefaultShareMenuItem,
    enableUrlBarHiding: same['enableBarCollapsing'],
    ephemeralWebSession: preferEphemeralSession,
    modalPresentationStyle: presentationStyle,
    preferredBarTintColor: toolbarColor,
    preferredControlTintColor: controlsColor,
    toolbarColor,
  };
  const given = Object.entries(renamed).filter(([, value]) => value !== undefined);
  return { animated: true, modalEnabled: true, ...same, ...Object.fromEntries(given) };
}
