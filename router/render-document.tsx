import type { ReactNode } from 'react';
import { preinit, preloadModule } from 'react-dom';
import { renderToReadableStream } from 'react-dom/server.edge';
import { answeringContext } from './answering-context.ts';
import { setBase } from './base.ts';
import { Document, toGiven } from './document.tsx';
import type { GivenPage } from './document.tsx';
import type { ErrorTeller } from './error-teller.ts';
import { toServerError } from './given-error.ts';
import type { PageAssets } from './page-assets.ts';
import { PageTree } from './page-tree.tsx';
import { findBoundary, findData } from './site.ts';
import type { LoadedPage, Site } from './site.ts';
import { isDataError } from './write-data.ts';
import type { WrittenData } from './write-data.ts';

/** The parts of a document. */
export interface DocumentParts {
  target: { assets: PageAssets; isStatic?: boolean; nonce?: string | undefined };
  /** The signal of the request: aborted when the client has left. */
  signal: AbortSignal;
  loaded: LoadedPage;
  /** The page as the client receives it. */
  given: GivenPage;
  status: number;
  headers: readonly [name: string, value: string][];
  errors: ErrorTeller;
  /** Writes what the client receives. It throws for data that cannot be sent. */
  write: (given: GivenPage) => WrittenData;
}

/**
 * Renders a page within its layouts. If the page or a layout fails before the first byte is sent, the nearest boundary
 * is rendered instead, with status 500 or the status of the error.
 *
 * @throws the error if no boundary handles it.
 */
export async function renderDocument(site: Site, parts: DocumentParts): Promise<Response> {
  const { loaded, target } = parts;
  if (loaded.failure) return renderFailure(site, parts, loaded.failure);
  try {
    return await renderOnce(site, parts);
  } catch (error) {
    if (target.isStatic || parts.signal.aborted) throw error;
    const { levels } = loaded;
    const level = isDataError(error) ? findData(levels.map(({ data }) => data)) : levels.length - 1;
    return renderFailure(site, parts, { level, error });
  }
}

/**
 * Renders the boundary for a failure at a level or below. Which level has thrown is not known: if it was a layout, it
 * throws again.
 */
async function renderFailure(
  site: Site,
  parts: DocumentParts,
  { level, error }: NonNullable<LoadedPage['failure']>,
): Promise<Response> {
  const { errors, loaded } = parts;
  // If data cannot be sent, the page can still be shown.
  const given = isDataError(error) ? withoutData(parts.given) : parts.given;
  const boundary = findBoundary(loaded.levels, level);
  if (boundary === -1) throw error;
  const told = errors.toGiven(error);
  const failure = { level: boundary, error: toServerError(told) };
  const failed = {
    ...parts,
    status: told.status,
    loaded: { ...loaded, failure },
    given: { ...given, failure: { ...told, level: boundary } },
  };
  try {
    const response = await renderOnce(site, failed);
    errors.report(error);
    return response;
  } catch (next) {
    // A layout that throws does so again. A boundary throws another error.
    if (String(next) !== String(error)) errors.report(error);
    return renderFailure(site, { ...parts, given }, { level: boundary - 1, error: next });
  }
}

function withoutData(given: GivenPage): GivenPage {
  const { data: _, actionData: __, ...rest } = given;
  return rest;
}

async function renderOnce(
  site: Site,
  { target, signal, loaded, given, status, headers, errors, write }: DocumentParts,
): Promise<Response> {
  const failures: unknown[] = [];
  const nonce = target.nonce ?? answeringContext()?.usedNonce;
  const hasClient = target.assets.entry !== '';
  let isStarted = false;
  let isCancelled = false;
  const rendered = renderToReadableStream(
    <WithAssets assets={target.assets} nonce={nonce}>
      <Document Html={site.Html} given={hasClient ? toGiven(write(given)) : undefined}>
        <PageTree loaded={loaded} retry={() => undefined} />
      </Document>
    </WithAssets>,
    {
      // React sends later parts by a script.
      ...(hasClient ? { bootstrapModules: [target.assets.entry] } : { progressiveChunkSize: Number.MAX_SAFE_INTEGER }),
      ...(nonce === undefined ? {} : { nonce }),
      signal,
      onError(error) {
        errors.noteFailure();
        // If the client leaves, or nobody reads the rest, that is not a failure to report, but the page is incomplete.
        if (signal.aborted || isCancelled) return;
        if (isStarted && !target.isStatic) errors.report(error);
        else failures.push(error);
      },
    },
  );
  const stream = await rendered.catch((error: unknown) => {
    // The code that catches it reports it.
    for (const other of failures) if (other !== error && !target.isStatic) errors.report(other);
    throw error;
  });
  if (target.isStatic) {
    await stream.allReady;
    if (failures.length > 0) throw failures[0];
  }
  if (!hasClient) await stream.allReady;
  isStarted = true;
  for (const failure of failures) errors.report(failure);
  const body = (await isComplete(stream)) ? stream : onCancel(stream, () => (isCancelled = true));
  return new Response(body, { status, headers: [...headers, ['content-type', 'text/html; charset=utf-8']] });
}

/** Whether all parts are rendered, so that nothing is left that a cancelled stream could end. */
async function isComplete({ allReady }: { allReady: Promise<void> }): Promise<boolean> {
  let isReady = false;
  void allReady.then(
    () => (isReady = true),
    () => undefined,
  );
  // By the next turn of the microtasks, only a promise that is already resolved has called back.
  await Promise.resolve();
  return isReady;
}

/**
 * The same stream, which calls a function before it is cancelled, such as for a HEAD. React reports an error for each
 * part that it gives up then, and does not tell why.
 */
function onCancel(stream: ReadableStream<Uint8Array>, listener: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel(reason) {
        listener();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Renders the document without a page, which serves every URL of a site that only the client renders. */
export async function renderShell(site: Site, assets: PageAssets): Promise<string> {
  setBase(site);
  const stream = await renderToReadableStream(
    <WithAssets assets={assets}>
      <Document Html={site.Html} given={{ text: '[{}]', parts: [] }}>
        {null}
      </Document>
    </WithAssets>,
    { bootstrapModules: [assets.entry] },
  );
  await stream.allReady;
  return new Response(stream).text();
}

/** Puts the client's files into the head of the document. */
function WithAssets({
  assets,
  nonce,
  children,
}: {
  assets: PageAssets;
  nonce?: string | undefined;
  children: ReactNode;
}): ReactNode {
  for (const href of assets.styles) preinit(href, { as: 'style', precedence: 'appkit' });
  for (const href of assets.modules) preloadModule(href, { as: 'script', ...(nonce === undefined ? {} : { nonce }) });
  return children;
}
