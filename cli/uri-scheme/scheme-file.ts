import type { SourceFile } from './source-file.ts';
import type { SchemeWarning } from './warning.ts';

/** The kinds of files that contain schemes. */
export type SchemeFileKind = 'info-plist' | 'android-manifest' | 'app-config';

/** Details about a scheme in addition to its name. */
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

/** A scheme and its place. */
export interface SchemePlace {
  scheme: string;
  /** From 1. */
  line: number;
}

/** The result of editing a file's text. */
export interface EditedText {
  /** Unchanged when there was nothing to do. */
  text: string;
  warnings: SchemeWarning[];
}

/** One kind of file that contains schemes. Text in, text out: these functions do not read or write files. */
export interface SchemeFileFormat {
  /** Adds a scheme, unless it exists. */
  add(source: SourceFile, scheme: string, details: SchemeDetails): EditedText;
  /** Removes a scheme everywhere in the file. */
  remove(source: SourceFile, schemes: readonly string[]): EditedText;
  /** The schemes in it, in the order of the file. */
  list(source: SourceFile): SchemePlace[];
}
