import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

/**
 * Reads what `vercel build` has written: https://vercel.com/docs/build-output-api. Of its routes, those parts are understood
 * that the templates lead to; another part is an error.
 */
export function readOutput(project) {
  const root = join(project, '.vercel/output');
  const { routes } = JSON.parse(readFileSync(join(root, 'config.json'), 'utf8'));
  const functions = findFunctions(join(root, 'functions'));
  const files = findFiles(join(root, 'static'));
  for (const route of routes) assertUnderstood(route);

  const find = (path) => {
    const name = path.replace(/^\//, '');
    if (functions.has(name)) return { function: name };
    const file = files.get(decode(path)) ?? files.get(decode(join(path, 'index.html')));
    return file && { file, type: types[extname(file)] ?? 'application/octet-stream' };
  };

  const route = (path, method) => {
    let isOnlyForErrors = false;
    const set = {};
    for (const { handle, src, dest, methods, status, check, headers, continue: goesOn } of routes) {
      if (handle !== undefined) {
        const found = handle === 'filesystem' && find(path);
        if (found) return { ...found, headers: set };
        isOnlyForErrors = handle === 'error' || handle === 'hit' || handle === 'miss';
      } else if (!isOnlyForErrors && (methods?.includes(method) ?? true)) {
        const match = new RegExp(src).exec(path);
        if (match && headers) Object.assign(set, headers);
        if (goesOn) continue;
        const found = match && dest !== undefined && find(new URL(expand(dest, match), 'http://host').pathname);
        if (found) return { ...found, headers: set };
        if (match && status !== undefined && !check) return { status };
      }
    }
    return { status: 404 };
  };
  return { functions, route };
}

function expand(destination, match) {
  return destination.replace(/\$(\d)/g, (_, number) => match[number] ?? '');
}

function decode(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function findFunctions(root) {
  const folders = readdirSync(root, { recursive: true }).filter((path) => path.endsWith('.func'));
  return new Map(folders.map((path) => [path.slice(0, -'.func'.length), join(root, path)]));
}

function findFiles(root) {
  const files = readdirSync(root, { recursive: true }).map((path) => join(root, path));
  return new Map(files.filter((path) => statSync(path).isFile()).map((path) => [`/${relative(root, path)}`, path]));
}

function assertUnderstood(route) {
  const known = ['handle', 'src', 'dest', 'methods', 'status', 'check', 'headers', 'continue'];
  const unknown = Object.keys(route).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new Error(`A route of .vercel/output/config.json has ${unknown}, which is not emulated.`);
}
