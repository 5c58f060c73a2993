import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ViteDevServer } from 'vite';
import { describeFailure } from '../describe-failure.ts';
import type { DevApp } from '../dev-app.ts';
import type { ErrorReport } from '../error-report.ts';
import { toErrorReport } from '../error-report.ts';
import type { Reporter } from '../report.ts';
import { createHostApp } from './host-app.ts';
import type { HostApp } from './host-app.ts';
import type { DevHostName, HostRunner, RunnerOptions } from './host-runner.ts';
import { openPageDesk } from './page-desk.ts';
import { createProcessRunner } from './process-runner.ts';
import { createWorkerRunner } from './worker-runner.ts';

/** The options for starting a host. */
export interface StartHostOptions {
  name: DevHostName;
  projectRoot: string;
  /** The name or address that the development server listens on. */
  host: string;
  variables: Readonly<Record<string, string>>;
  isSecure: boolean;
  reporter: Reporter;
  /** Renders the pages, once it has started. */
  app(): DevApp;
  /** Its development server. */
  vite(): ViteDevServer;
  /** Answers a request with an error. */
  toAnswer(report: ErrorReport, request: IncomingMessage): Response;
}

/**
 * Makes the app that runs the routes in the runtime of a host. Nothing runs yet.
 *
 * @throws CommandError when the tool of the host is missing.
 */
export async function startHost(options: StartHostOptions): Promise<HostApp> {
  const { name, projectRoot, host, variables, isSecure, reporter, app, vite, toAnswer } = options;
  const mark = `appkit-${randomUUID()}`;
  const desk = await openPageDesk(mark, (request, response) => app().answer(request, response));
  try {
    const settings = { mark, host, pagesUrl: desk.url, isSecure };
    const hostApp = createHostApp({
      projectRoot,
      mark,
      isSecure,
      vite,
      createRunner: (onLine) => createRunner(name, { projectRoot, settings, variables, onLine }),
      onError: (error, failed) => reporter.error(error, describeFailure(failed)),
      answerError(error, request, response) {
        const answer = toAnswer(toErrorReport(error, projectRoot), request);
        send(answer, request, response).catch(() => response.destroy());
      },
    });
    return { ...hostApp, close: () => hostApp.close().finally(() => desk.close()) };
  } catch (error) {
    desk.close();
    throw error;
  }
}

function createRunner(name: DevHostName, options: RunnerOptions): HostRunner {
  return name === 'cloudflare' ? createWorkerRunner(options) : createProcessRunner(name, options);
}

async function send(answer: Response, { method }: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await answer.text();
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(method === 'HEAD' ? undefined : body);
}
