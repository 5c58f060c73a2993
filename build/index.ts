export { exportApp, type ExportOptions, type ExportResult } from './export-app.ts';
export { exportForeign, type ForeignExportOptions } from './foreign/export-foreign.ts';
export {
  type JobSummary,
  listRoutes,
  type MiddlewareSummary,
  type RouteList,
  type RouteSummary,
} from './list-routes.ts';
export type { ExportedFile } from './output/measure-files.ts';
export { NODE_FOLDER_MARK, type NodeFolderOptions, writeNodeFolder } from './output/node-folder.ts';
export type { OpenApiPlace } from './openapi/write-document.ts';
export { ExportError, type Problem } from './problem.ts';
