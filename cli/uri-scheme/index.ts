export {
  addScheme,
  type AddSchemeOptions,
  type FileChange,
  removeScheme,
  type RemoveSchemeOptions,
  type SchemeChange,
} from './change-scheme.ts';
export type { Platform, ProjectOptions } from './find-project.ts';
export { type ListedScheme, listSchemes, type SchemeList } from './list-schemes.ts';
export { type OpenedUri, openUri, type OpenUriOptions } from './open-uri.ts';
export {
  type SchemeDetails,
  type SchemeFileKind,
  type SchemePlace,
  URL_TYPE_ROLES,
  type UrlTypeRole,
} from './scheme-file.ts';
export { UriSchemeError, type UriSchemeErrorCode } from './uri-scheme-error.ts';
export type { SchemeWarning, SchemeWarningCode } from './warning.ts';
