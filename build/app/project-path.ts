import path from 'node:path';

/** Writes a path as problems, manifests and source maps do: relative to the project, with `/` on every system. */
export function toProjectPath(projectRoot: string, file: string): string {
  return toSlashes(path.relative(projectRoot, path.resolve(projectRoot, file)));
}

/**
 * A path with `/` on every system, as Vite names modules. The bundler of the routes names them with the system's own
 * separators.
 */
export function toSlashes(file: string): string {
  return file.replaceAll(path.sep, '/');
}

/** Whether `inner` equals `outer` or is inside it. */
export function isInside(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
