/** Serves the files of an exported app, the same on every host whose server is ours. @module */
export { createStaticFiles } from './static-files.ts';
export type { StaticFiles, StaticOptions } from './static-files.ts';
export type { StaticRequest, StaticResponse } from './node-answer.ts';
