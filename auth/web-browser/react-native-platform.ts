import { AppState, Linking, Platform } from 'react-native';
import type { NativeBrowser } from './native-browser.ts';
import type { NativePlatform } from './native-session.ts';
import type { Platform as PlatformName } from './platform.ts';

/** The device, as React Native itself shows it. */
export const reactNative: NativePlatform = {
  onLink(listener) {
    const subscription = Linking.addEventListener('url', ({ url }) => listener(url));
    return () => subscription.remove();
  },
  initialLink: async () => Linking.getInitialURL(),
  onAppState(listener) {
    const subscription = AppState.addEventListener('change', listener);
    return () => subscription.remove();
  },
  appState: () => AppState.currentState,
  startTimer(callback, milliseconds) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** The browser of the system, next to the app: no native code is needed for it (RFC 8252 section 5). */
export const systemBrowser: NativeBrowser = {
  async open(url) {
    await Linking.openURL(url);
    return { type: 'opened' };
  },
  async openPage(url) {
    await Linking.openURL(url);
    return { type: 'opened' };
  },
};

/** Where this code runs. This package knows two of the systems that React Native runs on. */
export const platform: PlatformName = Platform.OS as PlatformName;
