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

/** Something that the user should know, but that is not an error. */
export interface SchemeWarning {
  code: SchemeWarningCode;
  /** What was found and what to do, as sentences. */
  message: string;
}
