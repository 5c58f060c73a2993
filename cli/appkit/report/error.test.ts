import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { printError } from './error.ts';

const printed = (error: unknown): string => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  printError(error, { verbose: false });
  return log.mock.calls.flat().join('\n');
};

afterEach(() => vi.restoreAllMocks());

it.each([
  ['EACCES', 'permission denied', 'Check who owns it and its folder, and what this user may do there.'],
  ['EPERM', 'operation not permitted', 'Check who owns it and its folder, and what this user may do there.'],
  ['EROFS', 'read-only file system', 'Use a folder that can be written to.'],
  ['ENOSPC', 'no space left on device', 'Free space on that disk.'],
  [
    'EBUSY',
    'resource busy or locked',
    'It is a mount, or another program uses it: mount the folder around it, or end that program.',
  ],
  [
    'ENAMETOOLONG',
    'name too long',
    'Shorten the name of the file or of its folder: an export makes it a little longer.',
  ],
  ['EMFILE', 'too many open files', 'Raise the number of files that a process may open, with ulimit -n.'],
])('says what to do when the system refuses a file with %s', (code, reason, fix) => {
  const message = `${code}: ${reason}, write`;
  const error = Object.assign(new Error(message), { code, syscall: 'write' });
  expect(printed(error)).toMatch(new RegExp(`error:.* ${message}\n {2}${fix}$`));
});

it('says what to do when a file is where a folder should be', () => {
  const file = path.join(import.meta.filename, 'x');
  expect(() => readFileSync(file)).toThrow(
    expect.toSatisfy((error) =>
      printed(error).endsWith(`'${file}'\n  A file is where a folder should be: rename it, or correct the path.`),
    ),
  );
});

it('calls other errors unexpected', () => {
  const ofApp = Object.assign(new Error('no'), { code: 'EACCES' });
  const ofSocket = Object.assign(new Error('no'), { code: 'EACCES', syscall: 'connect', address: '::1' });
  for (const unexpected of [new Error('no'), ofApp, ofSocket, 'no'])
    expect(printed(unexpected)).toMatch(/no.*\n {2}This was not expected\. Run with --verbose for the details\.$/);
});
