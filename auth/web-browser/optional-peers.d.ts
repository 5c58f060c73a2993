/** The used parts of packages that an app may have. They are not installed here. */

declare module 'react-native' {
  interface Subscription {
    remove(): void;
  }
  export const AppState: {
    readonly currentState: string | null;
    addEventListener(type: 'change', listener: (state: string) => void): Subscription;
  };
  export const Linking: {
    addEventListener(type: 'url', listener: (event: { url: string }) => void): Subscription;
    getInitialURL(): Promise<string | null>;
    openURL(url: string): Promise<unknown>;
  };
  export const Platform: { readonly OS: string };
}

declare module 'expo-web-browser' {
  interface Result {
    type: string;
    url?: string;
    /** What iOS says went wrong. */
    error?: string;
  }
  export function openAuthSessionAsync(url: string, redirectUrl: string, options: object): Promise<Result>;
  export function openBrowserAsync(url: string, options: object): Promise<Result>;
  export function dismissAuthSession(): void;
}

declare module 'react-native-inappbrowser-reborn' {
  interface Result {
    type: string;
    url?: string;
    /** The error from iOS, in one of the two fields. */
    description?: string;
    message?: string;
  }
  export const InAppBrowser: {
    open(url: string, options: object): Promise<Result>;
    openAuth(url: string, redirectUrl: string, options: object): Promise<Result>;
    close(): void;
    closeAuth(): void;
    isAvailable(): Promise<boolean>;
  };
}
