import path from 'node:path';

/** The folder of files that the contestants serve. */
export const folder = path.join(process.env.APPKIT_BUILD, '../client');
