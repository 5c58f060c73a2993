import { base, developmentPort, origin } from 'appkit-router/app-origin';
import { TurboModuleRegistry } from 'react-native';

import type { ServerPlace } from './native-fetch.ts';

declare const __DEV__: boolean;

/** Sets where this app's server is. */
export function getServerPlace(): ServerPlace {
  const scriptUrl = __DEV__ ? TurboModuleRegistry.get('SourceCode')?.getConstants().scriptURL : undefined;
  return { origin, base, developmentPort, scriptUrl };
}
