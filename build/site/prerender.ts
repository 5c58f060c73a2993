import { Worker } from 'node:worker_threads';

import type { PageAssets } from './page-assets.ts';

/** What the bundle that renders pages exports. */
export interface RenderBundle {
  render(target: RenderTarget, request: Request, params: Record<string, string>): Promise<Response>;
  shell(assets: PageAssets): Promise<string>;
  loadPage(pattern: string): Promise<{ generateStaticParams(): unknown }>;
}

/** What is rendered, as `appkit-router/server` takes it. */
export interface RenderTarget {
  pattern: string;
  isNotFound?: boolean;
  isStatic?: boolean;
  assets: PageAssets;
}

/** A page as it is written to a file. */
export interface Prerendered {
  html: string;
  /** The answer to a request for its data alone, when it has a loader. */
  data?: string;
}

/** Something that the code of pages is run for. */
export type PrerenderJob =
  | { kind: 'shell'; assets: PageAssets }
  | { kind: 'params'; pattern: string }
  | { kind: 'page'; target: RenderTarget; url: string; params: Record<string, string>; hasLoader: boolean };

/** Runs the code of pages, one job after another. */
export interface Prerenderer {
  run<T>(job: PrerenderJob): Promise<T>;
  close(): Promise<void>;
}

/** Starts a thread with the bundle that renders pages. */
export function startPrerenderer(bundle: string): Prerenderer {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./prerender-worker.${extension}`, import.meta.url), { workerData: { bundle } });
  let last: Promise<unknown> = Promise.resolve();
  const run = <T>(job: PrerenderJob): Promise<T> => {
    const result = last.then(
      () =>
        new Promise<T>((resolve, reject) => {
          const settle = (message: { result: T } | { error: string }): void => {
            worker.off('error', reject);
            if ('error' in message) reject(new Error(message.error));
            else resolve(message.result);
          };
          worker.once('message', settle);
          worker.once('error', reject);
          worker.postMessage(job);
        }),
    );
    last = result.catch(() => undefined);
    return result;
  };
  return { run, close: async () => void (await worker.terminate()) };
}
