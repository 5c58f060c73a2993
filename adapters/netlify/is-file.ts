import { parseStaticPath } from '../_static/static-path.ts';

/** What an export writes about its files: the content of `dist/client.files/manifest.json`. */
export interface ClientFiles {
  /** By name, relative to `dist/client`. */
  files: Readonly<Record<string, unknown>>;
}

/**
 * Creates the test with which an edge function leaves a request to Netlify's own file server.
 *
 * ```js
 * export default (request, context) => (isFile(request) ? undefined : handler(request, context));
 * ```
 *
 * @param client – the content of `dist/client.files/manifest.json`.
 * @returns a function that says whether a request is a GET or HEAD for a file: by its name, `about.html` by `/about`,
 * `docs/index.html` by `/docs/`.
 */
export function createIsFile(client: ClientFiles): (request: Request) => boolean {
  const names = new Set(Object.keys(client.files));
  return ({ method, url }) => {
    if (method !== 'GET' && method !== 'HEAD') return false;
    const { name, isFolder } = parseStaticPath(url) ?? {};
    if (name === undefined) return false;
    if (isFolder) return names.has(name === '' ? 'index.html' : `${name}/index.html`);
    return names.has(name) || names.has(`${name}.html`);
  };
}
