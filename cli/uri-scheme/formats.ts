import { androidManifest } from './android-manifest.ts';
import { appConfig } from './app-config.ts';
import { infoPlist } from './info-plist.ts';
import type { SchemeFileFormat, SchemeFileKind } from './scheme-file.ts';

/** How each kind of file is read and edited. */
export const formats: Record<SchemeFileKind, SchemeFileFormat> = {
  'info-plist': infoPlist,
  'android-manifest': androidManifest,
  'app-config': appConfig,
};
