import { toPrintable } from '../report/printable.ts';
import { onStderr } from '../report/style.ts';
import { toPlaceText } from './error-report.ts';
import type { CodeFrame, ErrorReport } from './error-report.ts';

/** Prints an error to standard error: where it is, the lines around it, and its stack with the app's own frames standing out. */
export function printErrorReport(report: ErrorReport, { what }: { what: string }): void {
  print(`${onStderr(['red', 'bold'], 'error:')} ${what}`);
  if (report.problems.length > 0) {
    for (const problem of report.problems) {
      print(`  ${toPlaceText(problem)}: ${problem.message}\n  ${problem.fix}`);
      printCode(problem);
    }
  } else printThrown(report);
}

function printThrown({ name, message, frame, stack, cause }: ErrorReport): void {
  print(`  ${onStderr('red', name)}: ${message}`);
  if (frame) printCode(frame);
  for (const { text, isOwn } of stack) print(isOwn ? `    at ${text}` : onStderr('dim', `    at ${text}`));
  if (!cause) return;
  print('  Caused by:');
  printThrown(cause);
}

function printCode({ code }: CodeFrame): void {
  if (code !== undefined) print(`\n${code.replaceAll(/^/gm, '  ')}\n`);
}

// A message may quote a request, which other sites can make the developer's browser send.
function print(text: string): void {
  console.error(toPrintable(text));
}
