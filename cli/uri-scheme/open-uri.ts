import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Platform } from './find-project.ts';
import { quoteForShell } from './quote-for-shell.ts';
import { UriSchemeError } from './uri-scheme-error.ts';
import { assertUri } from './validate-scheme.ts';

/** Where to open a URI. */
export interface OpenUriOptions {
  /** The simulator of iOS, or a device or emulator of Android. */
  platform: Platform;
  /** Its name in simctl or adb. Default: the running one. */
  device?: string;
  /** Android: the application that must open it, such as com.example.app. Default: any that accepts it. */
  package?: string;
}

/** A URI that was opened. */
export interface OpenedUri {
  uri: string;
  platform: Platform;
  /** The command that was run, argument by argument. */
  command: string[];
}

/**
 * Opens a URI on a simulator or device, as a link would be.
 *
 * @param uri – passed on unchanged: nothing in it is decoded, encoded or run.
 * @throws UriSchemeError when the tool is missing, or reports that nothing was opened.
 */
export async function openUri(uri: string, options: OpenUriOptions): Promise<OpenedUri> {
  assertUri(uri);
  const { platform } = options;
  const command = platform === 'ios' ? simulatorCommand(uri, options) : deviceCommand(uri, options);
  const { code, output } = await run(command, platform);
  // Older devices end with 0 even on failure.
  const isRefused = platform === 'android' && /^Error\b/m.test(output);
  if (code === 0 && !isRefused) return { uri, platform, command };
  const said = output.trim() === '' ? `it ended with ${code}` : output.trim();
  throw new UriSchemeError('ERR_OPEN_FAILED', `${uri} was not opened: ${said}`, { fix: HOW_TO_PREPARE[platform] });
}

function simulatorCommand(uri: string, { device = 'booted', package: application }: OpenUriOptions): string[] {
  if (process.platform !== 'darwin') {
    const fix = 'Run this on a Mac, or open the URI on Android.';
    throw new UriSchemeError('ERR_PLATFORM_UNSUPPORTED', 'The iOS simulator exists only on macOS.', { fix });
  }
  if (application !== undefined) {
    const fix = 'Leave it out: the simulator opens the app that has the scheme.';
    throw new UriSchemeError('ERR_OPTION_INVALID', 'A package can be named only on Android.', { fix });
  }
  return ['xcrun', 'simctl', 'openurl', device, uri];
}

function deviceCommand(uri: string, { device, package: application }: OpenUriOptions): string[] {
  if (application !== undefined && !/^[a-z]\w*(\.[a-z]\w*)+$/i.test(application)) {
    const message = `${JSON.stringify(application)} is not the name of an Android application.`;
    throw new UriSchemeError('ERR_OPTION_INVALID', message, {
      fix: 'Name it as the app does, such as com.example.app.',
    });
  }
  // A shell on the device reads the joined arguments of `adb shell`.
  const start = ['shell', 'am', 'start', '-W', '-a', 'android.intent.action.VIEW', '-d', quoteForShell(uri)];
  const onDevice = device === undefined ? [] : ['-s', device];
  return [findAdb(), ...onDevice, ...start, ...(application === undefined ? [] : [application])];
}

function findAdb(): string {
  const home = process.env['ANDROID_HOME'] ?? process.env['ANDROID_SDK_ROOT'];
  const name = process.platform === 'win32' ? 'adb.exe' : 'adb';
  const installed = home === undefined ? undefined : path.join(home, 'platform-tools', name);
  return installed !== undefined && existsSync(installed) ? installed : 'adb';
}

async function run(command: string[], platform: Platform): Promise<{ code: number | null; output: string }> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  try {
    const [code, ...output] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { code, output: output.join('') };
  } catch (cause) {
    const message = `${file} could not be started: ${cause instanceof Error ? cause.message : String(cause)}.`;
    throw new UriSchemeError('ERR_TOOL_NOT_FOUND', message, { fix: HOW_TO_INSTALL[platform], cause });
  }
}

const HOW_TO_INSTALL = {
  ios: 'Install Xcode and its command line tools.',
  android: 'Install the platform tools of Android, and set ANDROID_HOME or add adb to PATH.',
};

const HOW_TO_PREPARE = {
  ios: 'Start a simulator and install the app on it, built after the scheme was added.',
  android: 'Connect a device or start an emulator, and install the app on it, built after the scheme was added.',
};
