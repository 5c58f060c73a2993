import path from 'node:path';

/** Writes a path as problems, manifests and source maps do: relative to the project, with `/` on every system. */
export function toProjectPath(projectRoot: string, file: string): string {
  return path.relative(projectRoot, path.resolve(projectRoot, file)).replaceAll(path.sep, '/');
}

/** Whether `inner` equals `outer` or is inside it. */
export function isInside(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
