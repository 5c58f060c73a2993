import { toPlaceText, toStackText } from './error-report.ts';
import type { CodeFrame, ErrorReport } from './error-report.ts';

/** A page for a browser that shows an error and loads itself again when a file of the app changes. */
export function toErrorPage(report: ErrorReport, { changesUrl }: { changesUrl: string }): string {
  const title = `${report.name}: ${report.message.split('\n')[0] ?? ''}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${toBody(report)}
<footer>This page is part of development, and loads again when a file is saved. In production the answer is a plain 500.</footer>
</main>
<script>${RELOAD.replace('URL', () => toScriptText(changesUrl))}</script>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --dim: light-dark(#6b6b76, #9a9aa8); --line: light-dark(#e3e3ea, #34343e); --red: light-dark(#b4232c, #ff7b7f); }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#fff, #17171c); color: light-dark(#1c1c22, #ececf1); }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.3rem; margin: 0 0 1rem; overflow-wrap: anywhere; white-space: pre-wrap; }
h1 small, h2 { color: var(--red); font-weight: 600; font-size: 1rem; margin: 0 0 .25rem; display: block; }
pre { font: 14px/1.5 ui-monospace, monospace; overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
p { margin: .25rem 0; }
.place { font-family: ui-monospace, monospace; font-size: .9rem; }
.dim, footer { color: var(--dim); }
footer { margin-top: 2rem; font-size: .85rem; }
`;

// A server that has been started again knows nothing of the changes before; it says at once that this page is old.
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

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function toScriptText(text: string): string {
  return JSON.stringify(text).replaceAll('<', String.raw`\u003c`);
}
