import { spawn } from 'node:child_process';
import { codedError } from './coded-error.ts';

/**
 * Opens a page in the browser that the system has for it.
 *
 * @param command – a program and arguments to which the URL is added, instead.
 */
export async function openSystemBrowser(url: string, command: readonly string[] = systemCommand()): Promise<void> {
  const { protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw codedError(
      'ERR_WEB_BROWSER_OPEN',
      `Only http and https pages are opened in a browser, not ${protocol} ones.`,
    );
  }
  const [program = '', ...args] = command;
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
    child.once('spawn', () => {
      // The browser outlives the tool.
      child.unref();
      resolve();
    });
    child.once('error', (error) => {
      reject(codedError('ERR_WEB_BROWSER_OPEN', `No browser could be opened by ${program}: ${error.message}.`));
    });
  });
}

function systemCommand(): readonly string[] {
  if (process.platform === 'darwin') return ['open'];
  // Not cmd's start, which would read the & of a URL as the end of a command.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
