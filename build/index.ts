export { type ManifestOptions, toManifest } from './bundle/bundle-app.ts';
export {
  type AppDescription,
  describeApp,
  type DescribedFile,
  type DescribedRoute,
  findFileProblems,
} from './app/describe-app.ts';
export type { DescribedPage, DescribedSite } from './app/describe-site.ts';
export { exportApp, type ExportOptions, type ExportResult } from './export-app.ts';
export { createJsonPlugin } from './bundle/plugins/json-modules.ts';
export type { ExportedFile } from './output/measure-files.ts';
export { listRoutes, type MiddlewareSummary, type RouteList, type RouteSummary } from './list-routes.ts';
export { findModuleProblem } from './bundle/module-problem.ts';
export { findNearestName } from './config/nearest-name.ts';
export { NEVER_SERVED } from './secrets/never-served.ts';
export { NODE_FOLDER_MARK, type NodeFolderOptions, writeNodeFolder } from './output/node-folder.ts';
export { ExportError, type Problem } from './problem.ts';
export { createSiteDevelopment, isListed, SITE_MODULES, type SiteDevelopment } from './site/dev-site.ts';
export { findMissingForSite } from './site/load-vite.ts';
export { type TypedRoutes, writeTypedRoutes } from './output/typed-routes.ts';
