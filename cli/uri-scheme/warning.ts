/** What a {@link SchemeWarning} is about. These are stable; messages may improve. */
export type SchemeWarningCode =
  | 'lower-cased'
  | 'not-reverse-domain'
  | 'already-there'
  | 'launch-mode'
  | 'several-launchers'
  | 'partial-filter'
  | 'filter-without-scheme'
  | 'config-dynamic'
  | 'native-file-not-found'
  | 'no-native-projects';

/** Something to know that stops nothing. */
export interface SchemeWarning {
  code: SchemeWarningCode;
  /** What it is and what to do, as sentences. */
  message: string;
}
