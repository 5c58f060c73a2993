import { join } from 'node:path';
import { lookup } from 'mrmime';

/**
 * Serves the files of a folder: gives the answer to a GET or HEAD of one, else undefined. The files are listed once, so
 * no path of a request ever reaches the file system.
 */
export async function createFileServer(folder) {
  const files = await listFiles(folder);
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const file = files.get(pathOf(request.url));
    return file && respond(file, request.method);
  };
}

async function listFiles(folder, base = '/', files = new Map()) {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const file = join(folder, name);
    if (isDirectory) await listFiles(file, `${base}${name}/`, files);
    else files.set(base + name, file);
    if (name === 'index.html') files.set(base, file);
    // about.html is /about as well.
    if (name.endsWith('.html')) files.set(base + name.slice(0, -'.html'.length), file);
  }
  return files;
}

function pathOf(url) {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    // A malformed Host or path is that of no file; the handler answers it with 400.
    return undefined;
  }
}

async function respond(file, method) {
  const { size } = await Deno.stat(file);
  const headers = { 'content-type': typeOf(file), 'content-length': String(size) };
  return new Response(method === 'HEAD' ? null : (await Deno.open(file)).readable, { headers });
}

function typeOf(file) {
  const type = lookup(file) ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}
