export { type ManifestOptions, toManifest } from './bundle-app.ts';
export {
  type AppDescription,
  describeApp,
  type DescribedFile,
  type DescribedRoute,
  findFileProblems,
} from './describe-app.ts';
export type { DescribedPage, DescribedSite } from './describe-site.ts';
export { exportApp, type ExportOptions, type ExportResult } from './export-app.ts';
export { createJsonPlugin } from './json-modules.ts';
export type { ExportedFile } from './measure-files.ts';
export { listRoutes, type MiddlewareSummary, type RouteList, type RouteSummary } from './list-routes.ts';
export { findModuleProblem } from './module-problem.ts';
export { findNearestName } from './nearest-name.ts';
export { NEVER_SERVED } from './never-served.ts';
export { NODE_FOLDER_MARK, type NodeFolderOptions, writeNodeFolder } from './node-folder.ts';
export { ExportError, type Problem } from './problem.ts';
export { createSiteDevelopment, isListed, SITE_MODULES, type SiteDevelopment } from './site/dev-site.ts';
export { findMissingForSite } from './site/load-vite.ts';
export { type TypedRoutes, writeTypedRoutes } from './typed-routes.ts';
