import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

import type { BundledRoute } from '../bundle/bundle-app.ts';
import type { AppConfig } from '../config/app-config.ts';
import { toClientFolder } from '../output/client-folder.ts';
import { ExportError } from '../problem.ts';
import { readApiInfo } from './api-info.ts';
import type { ApiDocument } from './create-document.ts';
import type { EvaluatedRoute, EvaluationResult, EvaluationTask } from './evaluate-worker.ts';

/** Where the document goes: next to `client` and `server`, or into `client`, where hosts serve it. */
export type OpenApiPlace = 'dist' | 'client';

const NAME = 'openapi.json';

/**
 * Writes the OpenAPI document of an app whose server build has been written.
 *
 * @param folder – the folder that becomes the export.
 * @returns one or two sentences for each part that it does not describe.
 * @throws ExportError when a route cannot be evaluated, or `public` has a file of that name.
 */
export async function writeApiDocument(
  folder: string,
  app: {
    projectRoot: string;
    config: AppConfig;
    routes: readonly BundledRoute[];
    place: OpenApiPlace;
    signal: AbortSignal | undefined;
  },
): Promise<string[]> {
  const client = toClientFolder(path.join(folder, 'client'), app.config.base);
  const file = path.join(app.place === 'client' ? client : folder, NAME);
  if (existsSync(file)) {
    const message = 'With --openapi client, the export writes a file of that name.';
    throw new ExportError([{ file: `public/${NAME}`, message, fix: 'Rename or remove the file.' }]);
  }
  const info = await readApiInfo(app.projectRoot, app.config);
  const server = path.join(folder, 'server');
  const routes = app.routes.map(({ pattern, file, output, methods }): EvaluatedRoute => {
    return { pattern, file, methods, output: path.join(server, output) };
  });
  const { document, warnings } = await evaluate({ routes, info }, app.signal);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
  return routes.length > 0 ? warnings : [`The export has no routes, so that ${NAME} describes nothing.`];
}

/** In a separate thread: everything that route code leaves open, such as a connection pool, ends with it. */
async function evaluate(task: EvaluationTask, signal: AbortSignal | undefined): Promise<ApiDocument> {
  signal?.throwIfAborted();
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./evaluate-worker.${extension}`, import.meta.url), { workerData: task });
  const fix =
    'Make the module load without anything that only a running server has, such as a variable or a connection.';
  const refuse = (file: string, message: string): ExportError =>
    new ExportError([{ file, message: `Its contracts cannot be read, because ${message}`, fix }]);
  const stop = (): void => void worker.terminate();
  signal?.addEventListener('abort', stop);
  try {
    const result = await new Promise<EvaluationResult>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (error) => reject(refuse('.', `a module of the routes threw later: ${String(error)}`)));
      worker.once('exit', (code) =>
        reject(refuse('.', `a module of the routes ended the process, with code ${code}.`)),
      );
    });
    if ('error' in result) throw refuse(result.file, `it throws when it is loaded: ${result.error}`);
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
