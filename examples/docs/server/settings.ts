import path from 'node:path';

/** The folder with the Markdown. The export runs in the folder of this app. */
export const DOCS = path.resolve('../../docs');

/** Where people browse the repository: a URL that the path of a file can follow. Without it, such paths are text. */
export const REPOSITORY = process.env['APPKIT_PUBLIC_REPOSITORY']?.replace(/\/$/, '');
