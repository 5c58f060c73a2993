import { SITE_MODULES } from 'appkit-build/development';
import type { ViteDevServer } from 'vite';
import { toStackText } from './error-report.ts';
import type { ErrorReport } from './error-report.ts';

/** Shows an error over the pages that are open in a browser, or over the next page that is opened. */
export function showOverlay(vite: Pick<ViteDevServer, 'environments'>, report: ErrorReport): void {
  const { name, message, frame, stack } = report;
  vite.environments.client.hot.send({
    type: 'error',
    err: {
      message: `${name}: ${message}`,
      stack: stack.length > 0 ? toStackText(report) : '',
      plugin: SITE_MODULES.events.mark,
      ...(frame && { id: frame.file, frame: frame.code ?? '' }),
      ...(frame?.line !== undefined && { loc: { file: frame.file, line: frame.line, column: frame.column ?? 1 } }),
    },
  });
}
