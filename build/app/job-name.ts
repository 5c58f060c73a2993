import type { Problem } from '../problem.ts';
import { toRoutePath } from './route-path.ts';

/** A `+job` file. */
export interface JobFile {
  /** The source, relative to the project. */
  file: string;
  /** The bundle, relative to `dist/server`. */
  output: string;
  /** Its path in the routes folder, without groups. */
  job: string;
}

/** Reads a job's path in the routes folder, without `+job` and the extension: `(shop)/orders/mail` is `orders/mail`. */
export function toJobName(stem: string): { name: string } | { message: string; fix: string } {
  const path = toRoutePath(stem);
  if ('message' in path) return { ...path, fix: path.fix.replaceAll('+api', '+job') };
  if (path.pattern.includes('[')) {
    return {
      message: 'A job has no parameters: its path is its name.',
      fix: 'Remove the brackets from its path, and pass what differs to enqueue() as input.',
    };
  }
  if (path.pattern === '/')
    return { message: 'The job has no name.', fix: 'Name it after what it does, such as mail+job.' };
  return { name: path.pattern.slice(1) };
}

/** Refuses jobs that share a name. */
export function findSharedNames(jobs: readonly JobFile[]): Problem[] {
  return [...Map.groupBy(jobs, ({ job }) => job).values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return [];
    const message = `It has the same name as ${others.map(({ file }) => file).join(' and ')}: ${first.job}.`;
    return [{ file: first.file, message, fix: 'Keep one of them, or rename one. Groups make no difference.' }];
  });
}
