import path from 'node:path';

const MIDDLEWARE = /^_?middleware$/i;
const ROUTE = /^.+(?:\+apis?|\.api)(?:\.(?:android|ios|native|web))?$/i;
const JOB = /^.+(?:\+jobs|\.job)$/i;
const JSX = /\.[jt]sx$/;

/**
 * Recognises a file that was meant to be a route or middleware because its name is close to a valid one. Treated as a
 * page, it would be left out of a build of the routes alone, and an access check could go with it.
 *
 * @param name – a source file in the routes folder, relative to it, whose name has no special meaning.
 */
export function explainMisnamed(name: string): { message: string; fix: string } | undefined {
  const { dir, name: base, ext } = path.posix.parse(name);
  if (MIDDLEWARE.test(base) && (base.startsWith('_') || (dir === '' && !JSX.test(ext)))) {
    return {
      message: 'It looks like middleware but would never run: only +middleware runs.',
      fix: `Rename it to +middleware${ext}, or move it out of the routes folder.`,
    };
  }
  if (JOB.test(base)) {
    return {
      message: 'It looks like a job but could not be enqueued: the name of a job ends in +job.',
      fix: `Rename it to ${base.replace(/[+.]jobs?$/i, '')}+job${ext}, or move it out of the routes folder.`,
    };
  }
  if (!ROUTE.test(base)) return undefined;
  return {
    message: 'It looks like a route but would never answer: the name of a route ends in +api.',
    fix: `Rename it to ${toRouteName(name)}, or move it out of the routes folder.`,
  };
}

/** The name of the route that a file was probably meant to be: `hello.api.ts` and `hello.ts` become `hello+api.ts`. */
export function toRouteName(name: string): string {
  const { name: base, ext } = path.posix.parse(name);
  const plain = base.replace(/[-+._]apis?(?:\..*)?$/i, '');
  // One framework uses this name for the handlers of a folder.
  return `${plain === 'route' ? 'index' : plain}+api${ext}`;
}
