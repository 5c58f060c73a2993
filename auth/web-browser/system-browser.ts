import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { assertPage } from './assert-options.ts';
import { codedError } from './coded-error.ts';

/** How a page is opened. */
export interface SystemBrowserOptions {
  /** A program and arguments to which the URL is added, instead of the system's. */
  command?: readonly string[] | undefined;
  /** Called when the program has started, but ends with a code other than 0: it has found no browser. */
  onFailed?: (error: Error) => void;
}

/**
 * Opens a page in the system's browser.
 *
 * @throws Error with code `ERR_WEB_BROWSER_OPEN` when the program cannot be started.
 */
export async function openSystemBrowser(
  url: string,
  { command = systemCommand(), onFailed }: SystemBrowserOptions = {},
): Promise<void> {
  assertPage(url);
  const [program = '', ...args] = command;
  try {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
    child.once('exit', (code, signal) => {
      if (code !== 0) onFailed?.(failed(program, `it ended with ${code ?? signal}`));
    });
    await started(child);
    // The browser outlives the tool.
    child.unref();
  } catch (error) {
    throw failed(program, (error as Error).message);
  }
}

async function started(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve).once('error', reject);
  });
}

function failed(program: string, why: string): Error {
  return codedError(
    'ERR_WEB_BROWSER_OPEN',
    `No browser could be opened by ${program}: ${why}. Give another program as browserCommand, or show the URL to the user.`,
  );
}

function systemCommand(): readonly string[] {
  if (process.platform === 'darwin') return ['open'];
  // Not cmd's start, which would treat the & of a URL as the end of a command.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
