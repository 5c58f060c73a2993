import path from 'node:path';

/** The folder with the Markdown. The export runs in the folder of this app. */
export const DOCS = path.resolve('../../docs');

/**
 * The URL at which the repository can be browsed; the path of a file is appended. Without it, such paths are plain
 * text.
 */
export const REPOSITORY = process.env['APPKIT_PUBLIC_REPOSITORY']?.replace(/\/$/, '');
