import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

import type {
  PrerenderOptions,
  PrerenderAnswer,
  PrerenderJob,
  PrerenderMessage,
  Prerendered,
  RenderBundle,
} from './prerender.ts';

// In a separate thread: everything that page code leaves open, such as a connection pool, ends with it.
const { bundle, limitMs } = workerData as PrerenderOptions;
let renderer: RenderBundle | undefined;

// Node loads them on first use. This thread starts before the bundle exists, and waits for it.
void [Request, Response, TextDecoder];

/** Waking the other thread takes about as long as rendering a small page. */
const ANSWERS_AT_ONCE = 8;

let last = Promise.resolve();
let waiting = 0;
const answers: PrerenderAnswer[] = [];
parentPort?.on('message', (message: PrerenderMessage) => {
  if ('environment' in message) {
    Object.assign(process.env, message.environment);
    return;
  }
  const { id, job } = message;
  waiting++;
  last = last.then(async () => {
    const given = await answer(id, job);
    answers.push(given);
    waiting--;
    const isDue = waiting === 0 || answers.length === ANSWERS_AT_ONCE || 'error' in given;
    if (isDue) parentPort?.postMessage(answers.splice(0));
  });
});

async function answer(id: number, job: PrerenderJob): Promise<PrerenderAnswer> {
  const done = new AbortController();
  try {
    return { id, result: await Promise.race([perform(job), failAfterLimit(done.signal)]) };
  } catch (error) {
    return { id, error: toMessage(error) };
  } finally {
    done.abort();
  }
}

/** An error without its stack, which refers to a temporary bundle, except for the function that threw it. */
function toMessage(error: unknown): string {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const first = frames.find((line) => line.startsWith('    at ')) ?? '';
  const thrower = /^ {4}at (?:async )?([\w$.]+) \((.*):\d+:\d+\)$/.exec(first);
  return thrower?.[2]?.startsWith(path.dirname(bundle)) ? `${String(error)} (in ${thrower[1]})` : String(error);
}

async function failAfterLimit(signal: AbortSignal): Promise<never> {
  await setTimeout(limitMs, undefined, { signal });
  throw new Error(`It was not finished after ${limitMs / 1000} seconds.`);
}

async function perform(job: PrerenderJob): Promise<unknown> {
  const render = (renderer ??= createRequire(bundle)(bundle) as RenderBundle);
  if (job.kind === 'shell') return render.shell(job.assets);
  if (job.kind === 'params') return (await render.loadPage(job.pattern)).generateStaticParams();
  if (job.kind === 'not-found') return render.notFound();
  const { target, url, params } = job;
  let data: Promise<string> | undefined;
  // The loader runs once: the data that the client gets later is the data that the HTML was made with.
  const onData = (text: Promise<string>): void => {
    data = text;
    // Then the page cannot be rendered with them either, and that error explains it better.
    text.catch(() => undefined);
  };
  const page = await render.render({ ...target, isStatic: true, onData }, new Request(url), params);
  if (!(page.headers.get('content-type') ?? '').startsWith('text/html')) {
    throw new Error(
      `The loader answered with a Response of status ${page.status}, and a page that is written to a file has none.`,
    );
  }
  const html = await page.text();
  return (data === undefined ? { html } : { html, data: await data }) satisfies Prerendered;
}
