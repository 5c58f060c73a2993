import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

import { createApiDocument } from './create-document.ts';
import type { ApiDocument, ApiInfo, ApiRoute } from './create-document.ts';

/** A route of a server build. */
export interface EvaluatedRoute extends Omit<ApiRoute, 'module'> {
  /** The absolute path of its module. */
  output: string;
}

/** The thread's input. */
export interface EvaluationTask {
  routes: readonly EvaluatedRoute[];
  info: ApiInfo;
}

/** What the thread says. */
export type EvaluationResult = ApiDocument | { file: string; error: string };

parentPort?.postMessage(await evaluate(workerData as EvaluationTask));

async function evaluate({ routes, info }: EvaluationTask): Promise<EvaluationResult> {
  const require = createRequire(import.meta.url);
  const loaded: ApiRoute[] = [];
  for (const { output, ...route } of routes) {
    try {
      loaded.push({ ...route, module: require(output) as Record<string, unknown> });
    } catch (error) {
      return { file: route.file, error: String(error) };
    }
  }
  return createApiDocument(loaded, info);
}
