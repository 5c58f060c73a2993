/** What an app in React Native is, of which its redirect URIs are made. */
export interface AppContext {
  /** How it runs: in a store client such as Expo Go, built by a service, or built by its own project. Default: `bare`. */
  executionEnvironment?: 'bare' | 'standalone' | 'storeClient' | undefined;
  /** The schemes that are built into the app, as in the app config. The first one counts. */
  scheme?: string | readonly string[] | undefined;
  /** The schemes of Android, which go before `scheme` there. */
  android?: { scheme?: string | readonly string[] | undefined } | undefined;
  /** The schemes of iOS, which go before `scheme` there. */
  ios?: { scheme?: string | readonly string[] | undefined } | undefined;
  /** Where a store client has the app from: `192.168.1.4:8081` while it is developed. */
  hostUri?: string | undefined;
  /** Whose the app is, for `getRedirectUrl`. */
  owner?: string | undefined;
  /** The name of the app, for `getRedirectUrl`. */
  slug?: string | undefined;
  /** A proxy of your own that sends the browser on into the app, for `getRedirectUrl`. */
  redirectProxyUrl?: string | undefined;
}

let given: AppContext = {};

/**
 * Says what the app is, for the redirect URIs that are made in React Native. What is not given is read from the app config
 * where Expo's modules have it; without them, this is where the scheme is set.
 */
export function setAppContext(context: AppContext): void {
  given = context;
}

/** What the app says about itself, otherwise what Expo's modules say. */
export function appContext(): AppContext {
  return { ...readExpo(), ...given };
}

/** What Expo has among its native modules. */
interface ExpoModules {
  ExponentConstants?: { executionEnvironment?: AppContext['executionEnvironment']; manifest?: unknown };
  ExpoUpdates?: { isEmbeddedLaunch?: boolean; manifest?: unknown; manifestString?: string };
}

function readExpo(): AppContext {
  const { expo } = globalThis as { expo?: { modules?: ExpoModules } };
  const { ExponentConstants: constants, ExpoUpdates: updates } = expo?.modules ?? {};
  const updated = updates?.isEmbeddedLaunch ? null : readConfig(updates?.manifest ?? updates?.manifestString);
  return { ...(updated ?? readConfig(constants?.manifest)), executionEnvironment: constants?.executionEnvironment };
}

/** The app config in a manifest. That of an update has it inside; Android gives it as text. */
function readConfig(manifest: unknown): AppContext | null {
  const value: unknown = typeof manifest === 'string' && manifest !== '' ? JSON.parse(manifest) : manifest;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return null;
  const { extra, metadata } = value as { extra?: { expoClient?: AppContext }; metadata?: unknown };
  return metadata === undefined ? value : (extra?.expoClient ?? null);
}
