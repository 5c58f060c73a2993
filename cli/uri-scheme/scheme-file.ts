import type { SourceFile } from './source-file.ts';
import type { SchemeWarning } from './warning.ts';

/** What a file that holds schemes is. */
export type SchemeFileKind = 'info-plist' | 'android-manifest' | 'app-config';

/** What is known about a scheme besides its name. */
export interface SchemeDetails {
  /** iOS: `CFBundleURLName`, by convention the identifier of the app in reverse-domain form. */
  name?: string;
  /** iOS: `CFBundleTypeRole`. */
  role?: UrlTypeRole;
}

/** The roles that iOS knows: what the app is for URLs of the scheme. */
export const URL_TYPE_ROLES = ['Editor', 'Viewer', 'Shell', 'None'] as const;
/** One of {@link URL_TYPE_ROLES}. */
export type UrlTypeRole = (typeof URL_TYPE_ROLES)[number];

/** A scheme and the place where it stands. */
export interface SchemePlace {
  scheme: string;
  /** From 1. */
  line: number;
}

/** What became of the text of a file. */
export interface EditedText {
  /** Equal to what it was when there was nothing to do. */
  text: string;
  warnings: SchemeWarning[];
}

/** One kind of file that holds schemes. Text in, text out: none of this reads or writes. */
export interface SchemeFileFormat {
  /** Adds a scheme, unless it is there. */
  add(source: SourceFile, scheme: string, details: SchemeDetails): EditedText;
  /** Takes a scheme out wherever it is. */
  remove(source: SourceFile, schemes: readonly string[]): EditedText;
  /** The schemes in it, in the order of the file. */
  list(source: SourceFile): SchemePlace[];
}
