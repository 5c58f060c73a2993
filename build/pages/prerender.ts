import { Worker } from 'node:worker_threads';

import { ExportError } from '../problem.ts';
import type { PageAssets } from '../site/page-assets.ts';

/** The exports of the bundle that renders pages. */
export interface RenderBundle {
  render(target: RenderTarget, request: Request, params: Record<string, string>): Promise<Response>;
  shell(assets: PageAssets): Promise<string>;
  loadPage(pattern: string): Promise<{ generateStaticParams(): unknown }>;
  /** The not-found document, for an app without a page for it. */
  notFound(): string;
}

/** The input of a rendering, as `appkit-router/server` accepts it. */
export interface RenderTarget {
  pattern: string;
  isNotFound?: boolean;
  hasNotFound?: boolean;
  isStatic?: boolean;
  onData?: (text: Promise<string>) => void;
  assets: PageAssets;
}

/** A page in the form in which it is written to a file. */
export interface Prerendered {
  html: string;
  /** The response to a request for its data alone, when it has a loader. */
  data?: string;
}

/** A job for the page code. */
export type PrerenderJob =
  | { kind: 'shell'; assets: PageAssets }
  | { kind: 'params'; pattern: string }
  | { kind: 'not-found' }
  | { kind: 'page'; target: RenderTarget; url: string; params: Record<string, string> };

/** The thread's messages in: first the environment variables, then each job. */
export type PrerenderMessage = { environment: Record<string, string | undefined> } | { id: number; job: PrerenderJob };

/** The thread's reply to a job. */
export type PrerenderAnswer = { id: number } & ({ result: unknown } | { error: string });

/** Runs page code, one job after another. */
export interface Prerenderer {
  run<T>(job: PrerenderJob): Promise<T>;
  close(): Promise<void>;
}

/** The thread's input. */
export interface PrerenderOptions {
  /** The absolute path of the bundle that renders pages. It must exist when the first job arrives. */
  bundle: string;
  /** How long a job may take, in milliseconds. */
  limitMs: number;
}

/** Longer than a loader should take, and short enough to notice one that hangs. */
const LIMIT_MS = 60_000;

/** Starts a thread for the bundle that renders pages. */
export function startPrerenderer(bundle: string, { limitMs = LIMIT_MS }: { limitMs?: number } = {}): Prerenderer {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const workerData: PrerenderOptions = { bundle, limitMs };
  const worker = new Worker(new URL(`./prerender-worker.${extension}`, import.meta.url), { workerData });
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let count = 0;
  worker.on('message', (answers: PrerenderAnswer[]) => {
    for (const { id, ...answer } of answers) {
      const job = waiting.get(id);
      waiting.delete(id);
      if ('error' in answer) job?.reject(new Error(answer.error));
      else job?.resolve(answer.result);
    }
  });
  let failure: Error | undefined;
  // It is not known which of the waiting jobs caused it: the thread processes several at once.
  const fail = (message: string): void => {
    const fix = 'Look at the pages, their layouts and loaders, and what these import.';
    failure ??= new ExportError([{ file: '.', message, fix }]);
    for (const job of waiting.values()) job.reject(failure);
    waiting.clear();
  };
  worker.on('error', (error: unknown) => {
    fail(`While pages were rendered, their code threw, or rejected, where nobody could catch it: ${String(error)}`);
  });
  worker.on('exit', (code) => fail(`While pages were rendered, their code ended the process, with code ${code}.`));
  const tell = (message: PrerenderMessage): void => worker.postMessage(message);
  const run = <T>(job: PrerenderJob): Promise<T> => {
    if (failure) return Promise.reject(failure);
    // The thread's own variables date from its start. A `vite.config.ts` read since then may have set others.
    if (count === 0) tell({ environment: { ...process.env } });
    const id = count++;
    return new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      // All at once: the thread takes them in turn, and does not wait for this one between two.
      tell({ id, job });
    }) as Promise<T>; // what the job is for, as the caller says
  };
  return { run, close: async () => void (await worker.terminate()) };
}
