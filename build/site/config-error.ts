import { listErrors, toProblem } from '../bundle/bundler-log.ts';
import { ExportError } from '../problem.ts';
import { findViteConfig } from './config-files.ts';

/** Explains why Vite could not read the app's `vite.config`. */
export function toConfigError(error: unknown, projectRoot: string): ExportError {
  const entry = findViteConfig(projectRoot) ?? 'vite.config';
  const problems = listErrors(error).map((log) => {
    // Vite writes code of its own in front of the first line, so columns are not those of the file.
    const { column: _, ...problem } = toProblem(log, { projectRoot, entry });
    return problem;
  });
  const message = `It cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
  const thrown = { file: entry, message: message.replace(/\.?$/, '.'), fix: 'Correct it.' };
  return new ExportError(problems.length > 0 ? problems : [thrown]);
}
