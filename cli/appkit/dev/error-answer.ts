import { type ErrorReport, toPlaceText, toStackText } from './error-report.ts';
import { toErrorPage } from './error-page.ts';

/** The body of an answer, and what it is. */
export interface ErrorAnswer {
  contentType: string;
  body: string;
}

/** Says an error to a client in the form it accepts: a page to browsers, JSON to whoever asks for it, else text. */
export function toErrorAnswer(
  report: ErrorReport,
  { accept, changesUrl }: { accept: string; changesUrl: string },
): ErrorAnswer {
  if (/\btext\/html\b/i.test(accept)) {
    return { contentType: 'text/html; charset=utf-8', body: toErrorPage(report, { changesUrl }) };
  }
  if (/[/+]json\b/i.test(accept)) {
    return { contentType: 'application/json; charset=utf-8', body: JSON.stringify({ error: toJson(report) }) };
  }
  return { contentType: 'text/plain; charset=utf-8', body: `${toText(report)}\n` };
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
