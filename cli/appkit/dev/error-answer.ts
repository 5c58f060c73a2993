import { toPlaceText, toStackText } from './error-report.ts';
import type { ErrorReport } from './error-report.ts';
import { toErrorPage } from './error-page.ts';

/** Answers with an error in the form the client accepts: a page for browsers, JSON on request, otherwise text. */
export function toErrorAnswer(
  report: ErrorReport,
  { accept, changesUrl }: { accept: string; changesUrl: string },
): Response {
  if (/\btext\/html\b/i.test(accept)) return answer('text/html', toErrorPage(report, { changesUrl }));
  if (/[/+]json\b/i.test(accept)) return answer('application/json', JSON.stringify({ error: toJson(report) }));
  return answer('text/plain', `${toText(report)}\n`);
}

function answer(type: string, body: string): Response {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', vary: 'Accept' };
  return new Response(body, { status: 500, headers });
}

function toJson(report: ErrorReport): object {
  const { name, message, frame, problems } = report;
  return {
    name,
    message,
    stack: toStackText(report),
    ...(frame && { frame }),
    ...(problems.length > 0 && { problems }),
  };
}

function toText(report: ErrorReport): string {
  if (report.problems.length > 0) return report.message;
  const { frame } = report;
  const code = frame?.code === undefined ? [] : [toPlaceText(frame), frame.code];
  return [...code, toStackText(report)].join('\n\n');
}
