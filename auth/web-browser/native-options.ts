import type { AuthSessionOpenOptions } from './options.ts';

// The options of sessions, and those of pages and of Node.
const OURS: readonly string[] = [
  'browserCommand',
  'graceMs',
  'mode',
  'signal',
  'state',
  'timeoutMs',
  'windowFeatures',
  'windowName',
] satisfies (keyof AuthSessionOpenOptions)[];

/** The options passed to a browser package, by their names, without undefined ones. */
export function toNativeOptions(options: AuthSessionOpenOptions): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => value !== undefined && !OURS.includes(name)),
  );
}
