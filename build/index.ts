export {
  type AppDescription,
  describeApp,
  type DescribedFile,
  type DescribedRoute,
  findFileProblems,
} from './describe-app.ts';
export { exportApp, type ExportedFile, type ExportOptions, type ExportResult } from './export-app.ts';
export { listRoutes, type MiddlewareSummary, type RouteList, type RouteSummary } from './list-routes.ts';
export { findNearestName } from './nearest-name.ts';
export { ExportError, type Problem } from './problem.ts';
export { type TypedRoutes, writeTypedRoutes } from './typed-routes.ts';
