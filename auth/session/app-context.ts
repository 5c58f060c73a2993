/** The properties of a React Native app that determine its redirect URIs. */
export interface AppContext {
  /** How it runs: in a store client such as Expo Go, built by a service, or built by its own project. Default: `bare`. */
  executionEnvironment?: 'bare' | 'standalone' | 'storeClient' | undefined;
  /** The schemes that are built into the app, as in the app config. The first one counts. */
  scheme?: string | readonly string[] | undefined;
  /** The schemes of Android, which go before `scheme` there. */
  android?: { scheme?: string | readonly string[] | undefined } | undefined;
  /** The schemes of iOS, which go before `scheme` there. */
  ios?: { scheme?: string | readonly string[] | undefined } | undefined;
  /** The address from which a store client loads the app, such as `192.168.1.4:8081` during development. */
  hostUri?: string | undefined;
  /** The owner of the app, for `getRedirectUrl`. */
  owner?: string | undefined;
  /** The name of the app, for `getRedirectUrl`. */
  slug?: string | undefined;
  /** Your own proxy, which redirects the browser into the app, for `getRedirectUrl`. */
  redirectProxyUrl?: string | undefined;
}

let given: AppContext = {};

/**
 * Sets the properties of the app from which redirect URIs are made in React Native. Omitted properties are read from
 * the app config if Expo's modules provide it; without them, set the scheme here.
 */
export function setAppContext(context: AppContext): void {
  given = context;
}

/** The properties set by the app, otherwise those from Expo's modules. */
export function appContext(): AppContext {
  return { ...readExpo(), ...given };
}

/** The used part of Expo's native modules. */
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

/** The app config in a manifest. The manifest of an update contains it; Android returns it as text. */
function readConfig(manifest: unknown): AppContext | null {
  const value: unknown = typeof manifest === 'string' && manifest !== '' ? JSON.parse(manifest) : manifest;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return null;
  const { extra, metadata } = value as { extra?: { expoClient?: AppContext }; metadata?: unknown };
  return metadata === undefined ? value : (extra?.expoClient ?? null);
}
