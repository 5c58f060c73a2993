import { escapeHtml as escape, toDevPage } from './dev-page.ts';
import { toPlaceText, toStackText } from './error-report.ts';
import type { CodeFrame, ErrorReport } from './error-report.ts';

/** An HTML page that shows an error and reloads itself when a file of the app changes. */
export function toErrorPage(report: ErrorReport, { changesUrl }: { changesUrl: string }): string {
  const title = `${report.name}: ${report.message.split('\n')[0] ?? ''}`;
  const body = `${toBody(report)}
<footer>This page is part of development, and loads again when a file is saved. In production the answer is a plain 500.</footer>`;
  return toDevPage({ title, style: STYLE, body, script: RELOAD.replace('URL', () => toScriptText(changesUrl)) });
}

const STYLE = `
h1 { font-size: 1.3rem; margin: 0 0 1rem; overflow-wrap: anywhere; white-space: pre-wrap; }
h1 small, h2 { color: var(--red); font-weight: 600; font-size: 1rem; margin: 0 0 .25rem; display: block; }
p { margin: .25rem 0; }
.place { font-family: ui-monospace, monospace; font-size: .9rem; }
`;

// A restarted server does not know the earlier changes; it reports at once that this page is outdated.
const RELOAD = `
const changes = new EventSource(URL);
changes.addEventListener('change', () => location.reload());
`;

function toBody(report: ErrorReport): string {
  if (report.problems.length === 0) return toThrown(report);
  const problems = report.problems.map(
    (problem) => `<h1>${escape(problem.message)}</h1>\n<p>${escape(problem.fix)}</p>\n${toFrame(problem)}`,
  );
  return `<h2>This keeps the app from being exported</h2>\n${problems.join('\n')}`;
}

function toThrown(report: ErrorReport): string {
  const { name, message, frame, stack, cause } = report;
  const lines = stack.map(({ text, isOwn }) => `<span${isOwn ? '' : ' class="dim"'}>at ${escape(text)}</span>`);
  return [
    `<h1><small>${escape(name)}</small>${escape(message)}</h1>`,
    frame ? toFrame(frame) : '',
    lines.length > 0 ? `<pre>${lines.join('\n')}</pre>` : '',
    cause ? `<p>Caused by:</p>\n<pre>${escape(toStackText(cause))}</pre>` : '',
  ].join('\n');
}

function toFrame(frame: CodeFrame): string {
  const code = frame.code === undefined ? '' : `\n<pre>${escape(frame.code)}</pre>`;
  return `<p class="place">${escape(toPlaceText(frame))}</p>${code}`;
}

function toScriptText(text: string): string {
  return JSON.stringify(text).replaceAll('<', String.raw`\u003c`);
}
