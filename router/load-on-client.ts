import { redirect, redirectDocument } from 'react-router';
import type { createPageFinder } from './find-page.ts';
import { LoaderError, toServerError } from './page-route.tsx';
import { DATA_PARAMETER } from 'appkit-server/match';
import type { DataAnswer } from './data-request.ts';
import { loadModules } from './site.ts';
import type { LoadedPage, Site, SitePage } from './site.ts';

/**
 * Loads a page that the client goes to: its modules, and its data from the server at the same time.
 *
 * @throws Response that sends the document there when the URL is no page.
 */
export async function loadOnClient(
  { site, find }: { site: Site; find: ReturnType<typeof createPageFinder> },
  request: Request,
): Promise<LoadedPage> {
  const url = new URL(request.url);
  const found = find(url.pathname);
  if (found === 'document') throw redirectDocument(url.href);
  if (found === undefined) return loadNotFound(site, url);

  const { page, params } = found;
  const [modules, answer] = await Promise.all([
    // The files of another release may be gone; its documents name those that are there.
    loadModules(page).catch(() => {
      throw redirectDocument(url.href);
    }),
    fetchData(site, page, { url, signal: request.signal }),
  ]);
  const loaded: LoadedPage = { ...modules, params, data: answer.data };
  if ('error' in answer) throw new LoaderError(answer.error, loaded);
  return loaded;
}

async function loadNotFound(site: Site, url: URL): Promise<LoadedPage> {
  // A static file, perhaps, or a page of a newer release. The server knows.
  const [page] = site.notFound;
  if (!site.isSinglePage || !page) throw redirectDocument(url.href);
  return { ...(await loadModules(page)), params: {}, data: undefined };
}

async function fetchData(
  site: Site,
  page: SitePage,
  { url, signal }: { url: URL; signal: AbortSignal },
): Promise<{ data?: unknown; error?: unknown }> {
  if (!page.hasLoader) return {};
  let response: Response;
  try {
    // To follow a redirect would be to fetch a document.
    response = await fetch(toDataUrl(site, url), {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    return { error };
  }
  // Middleware may send the user elsewhere, and an answer that is no data comes from a server without this page.
  const isData = response.headers.get('content-type')?.startsWith('application/json');
  if (response.type === 'opaqueredirect' || (response.ok && !isData)) throw redirectDocument(url.href);
  if (!response.ok) return { error: await toError(response) };
  const answer = (await response.json()) as DataAnswer;
  if ('redirect' in answer) throw toRedirect(answer.redirect, url);
  return answer;
}

/** Sends the client where a browser would go. It does not go to `javascript:`, which is code and no place. */
function toRedirect(to: string, from: URL): Response {
  const target = new URL(to, from);
  if (!/^https?:$/.test(target.protocol))
    throw new TypeError(`The loader of ${from.pathname} redirects to no web page.`);
  if (target.origin !== from.origin) return redirectDocument(target.href);
  return redirect(target.pathname + target.search + target.hash);
}

function toDataUrl(site: Site, url: URL): URL {
  const dataUrl = new URL(url);
  if (site.data === 'files') {
    dataUrl.search = '';
    dataUrl.pathname = `/_appkit/data${url.pathname.replace(/\/$/, '') || '/index'}.json`;
  } else {
    dataUrl.searchParams.append(DATA_PARAMETER, '');
  }
  dataUrl.hash = '';
  return dataUrl;
}

async function toError(response: Response): Promise<Error> {
  const { status } = response;
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    // In development it has more to it than a message.
    const { message } = Object(error) as { message?: unknown };
    const said = [error, message, text].find((part) => typeof part === 'string') as string;
    return toServerError({ message: said, status });
  } catch {
    return toServerError({ message: text, status });
  }
}
