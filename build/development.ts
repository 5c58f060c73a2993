export {
  type AppDescription,
  describeApp,
  type DescribedFile,
  type DescribedJob,
  type DescribedRoute,
  findFileProblems,
} from './app/describe-app.ts';
export type { DescribedPage, DescribedSite } from './app/describe-site.ts';
export { type ManifestOptions, type SourcedPages, toManifest } from './output/manifest.ts';
export { findModuleProblem } from './bundle/module-problem.ts';
export type { ViteTools } from './bundle/plugins/page-parts.ts';
export { createJobNamesPlugin } from './bundle/plugins/job-names.ts';
export { createJsonPlugin } from './bundle/plugins/json-modules.ts';
export { readApiInfo } from './openapi/api-info.ts';
export { type ApiDocument, type ApiRoute, createApiDocument } from './openapi/create-document.ts';
export { bundleForDevelopment, type DevelopmentBundle } from './output/development-bundle.ts';
export { type TypedRoutes, writeTypedRoutes } from './output/typed-routes.ts';
export { hasNotFound, hasRootNotFound } from './pages/has-not-found.ts';
export { NEVER_SERVED } from './secrets/never-served.ts';
export { createSiteDevelopment, isListed, SITE_MODULES, type SiteDevelopment } from './site/dev-site.ts';
export { toConfigError } from './site/config-error.ts';
export { findMissingForSite } from './site/load-vite.ts';
export type { MiddlewareRole, SourcedPage } from './app/middleware.ts';
export { createFileNamesGuard } from './site/file-names-guard.ts';
export { createEnvironmentPlugin } from './site/environment-plugin.ts';
export { toConstants } from './site/vite-constants.ts';
