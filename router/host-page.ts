// Runs in Bun, Deno and workerd, with `appkit start --host`: that host runs the loaders and the action of a page as in
// production, and the process of `appkit start` renders the page.
import { answeringContext } from './answering-context.ts';
import { createErrorTeller } from './error-teller.ts';
import { writeLoaded } from './loaded-text.ts';
import type { LoadedLines } from './loaded-text.ts';
import { readPageRequest } from './page-request.ts';
import { runPage } from './run-loaders.ts';
import type { LayoutModule, PageModule } from './site.ts';
import { createStatusError } from './status-error.ts';
import type { StatusError } from './status-error.ts';

/** A page whose loaders run here. */
export interface HostPage {
  /** Its name in the process that renders it. */
  file: string;
  pattern: string;
  /** Whether the app has a `+not-found` for the page. */
  hasNotFound: boolean;
  /**
   * Load its layouts, the outermost first, and the page itself, with no exports but `loader` and `action`. Absent if the
   * other process runs these.
   */
  parts?: readonly (() => Partial<LayoutModule> | Partial<PageModule>)[] | undefined;
}

/** What the process that renders a page is told about a request. */
export interface RenderCall {
  file: string;
  params: Record<string, string>;
  nonce?: string | undefined;
  /** It runs the loaders and the action, too. */
  isWhole: boolean;
}

/**
 * Lets the other process answer.
 *
 * @param lines – the results of the loaders. Without them, a page that needs them is not rendered.
 * @returns `data` when it needs them; `failure` when no boundary of the page handles their failure; an error for the
 * server.
 */
type Render = (
  request: Request,
  page: RenderCall,
  lines?: LoadedLines,
) => Promise<Response | 'data' | 'failure' | Pick<StatusError, 'status' | 'message' | 'body'>>;

/** Makes the handler of a page. */
export function createHostPage({ file, pattern, hasNotFound, parts }: HostPage) {
  return async (request: Request, params: Record<string, string>): Promise<Response> => {
    const render = async (lines?: LoadedLines): Promise<Response | 'data' | 'failure'> => {
      const given = (globalThis as { [RENDER]?: Render })[RENDER];
      if (!given) throw new Error('This server build was made for appkit start --host. Export the app to serve it.');
      const nonce = answeringContext()?.usedNonce;
      const answer = await given(request, { file, params, nonce, isWhole: !parts }, lines);
      if (typeof answer === 'object' && 'message' in answer)
        throw createStatusError(answer.status, answer.message, answer.body);
      return answer;
    };
    if (!parts || request.method !== 'POST') {
      const answer = await render();
      if (answer !== 'data') return answer as Response; // nothing has run that could have failed
    }
    const { isForData, seen, levels } = readPageRequest(request);
    const modules = (parts ?? []).map((load) => load() as LayoutModule | PageModule);
    const loaded = await runPage(modules, { request: seen, params, levels });
    if (loaded.redirect) return loaded.redirect;
    const isForServer = hasNotFound && (loaded.failure?.error as { status?: unknown } | null)?.status === 404;
    if (isForServer && !isForData) throw loaded.failure?.error;
    const errors = createErrorTeller({ tellsErrors: true });
    const { lines, failure } = await writeLoaded(loaded, { pattern, errors });
    const answer = await render(lines);
    if (typeof answer === 'string') throw failure?.error;
    if (failure) errors.report(failure.error);
    return answer;
  };
}

const RENDER = Symbol.for('appkit.developmentPage');
