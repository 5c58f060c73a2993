/**
 * Answers the requests of a test with the sources of an app: in the test's process, without an export and without a
 * port. @module
 */
export { createTestApp } from './test-app.ts';
export type { TestApp, TestAppOptions } from './test-app.ts';
export type { AppSources } from './load-sources.ts';
