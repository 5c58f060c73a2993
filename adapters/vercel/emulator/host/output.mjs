import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

/**
 * Reads what `vercel build` has written: https://vercel.com/docs/build-output-api. Supports only the parts of routes
 * that the templates produce; any other part is an error.
 */
export function readOutput(project) {
  const root = path.join(project, '.vercel/output');
  const { routes } = JSON.parse(readFileSync(path.join(root, 'config.json'), 'utf8'));
  const functions = findFunctions(path.join(root, 'functions'));
  const files = findFiles(path.join(root, 'static'));
  for (const route of routes) assertUnderstood(route);

  // A function with a trigger has no URL: https://vercel.com/docs/queues
  const triggers = new Map([...functions].flatMap(([name, folder]) => readTriggers(folder).map((one) => [name, one])));
  const find = (pathname) => {
    const name = pathname.replace(/^\//, '');
    if (functions.has(name) && !triggers.has(name)) return { function: name };
    const file = files.get(decode(pathname)) ?? files.get(decode(path.join(pathname, 'index.html')));
    return file && { file, type: types[path.extname(file)] ?? 'application/octet-stream' };
  };

  const route = (pathname, method) => {
    let isOnlyForErrors = false;
    const set = {};
    for (const { handle, src, dest, methods, status, check, headers, continue: goesOn } of routes) {
      if (handle !== undefined) {
        const found = handle === 'filesystem' && find(pathname);
        if (found) return { ...found, headers: set };
        isOnlyForErrors = handle === 'error' || handle === 'hit' || handle === 'miss';
      } else if (!isOnlyForErrors && (methods?.includes(method) ?? true)) {
        const match = new RegExp(src).exec(pathname);
        if (match && headers) Object.assign(set, headers);
        if (goesOn) continue;
        const found = match && dest !== undefined && find(new URL(expand(dest, match), 'http://host').pathname);
        if (found) return { ...found, headers: set };
        if (match && status !== undefined && !check) return { status };
      }
    }
    return { status: 404 };
  };
  return { functions, triggers, route };
}

function expand(destination, match) {
  return destination.replace(/\$(\d)/g, (_, number) => match[number] ?? '');
}

function decode(pathname) {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

function findFunctions(root) {
  const folders = readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.func'));
  return new Map(folders.map((name) => [name.slice(0, -'.func'.length), path.join(root, name)]));
}

function readTriggers(folder) {
  const { experimentalTriggers = [] } = JSON.parse(readFileSync(path.join(folder, '.vc-config.json'), 'utf8'));
  return experimentalTriggers.filter(({ type }) => type === 'queue/v2beta');
}

function findFiles(root) {
  const files = readdirSync(root, { recursive: true }).map((name) => path.join(root, name));
  return new Map(
    files.filter((file) => statSync(file).isFile()).map((file) => [`/${path.relative(root, file)}`, file]),
  );
}

function assertUnderstood(route) {
  const known = ['handle', 'src', 'dest', 'methods', 'status', 'check', 'headers', 'continue'];
  const unknown = Object.keys(route).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new Error(`A route of .vercel/output/config.json has ${unknown}, which is not emulated.`);
}
