import type { Site } from './site.ts';
/** Brings the page that the server has rendered to life, and takes over navigation. Called by the entry of the client bundle. */
export declare function hydrate(site: Site): Promise<void>;
