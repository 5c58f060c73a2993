import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { quoteForShell } from './quote.ts';

it.each(['my-app', '../a/b.c', '/home/user@host/app+1'])('leaves %s as it is', (path) => {
  expect(quoteForShell(path, { platform: 'linux' })).toBe(path);
});

it
  .skipIf(process.platform === 'win32')
  .each(['my app', "it's", '$(id)', '`id`', '~', '*', 'a;b', 'a&&b', '#a', '!a', '"', '\\', 'a\nb', 'é'])(
  'makes a shell read exactly %j',
  (path) => {
    const quoted = quoteForShell(path, { platform: 'linux' });
    expect(execFileSync('sh', ['-c', `printf %s ${quoted}`], { encoding: 'utf8' })).toBe(path);
  },
);

it('does not let a path become an option', () => {
  expect(quoteForShell('-rf', { platform: 'linux' })).toBe('./-rf');
});

it('quotes as Windows does there', () => {
  expect(quoteForShell(String.raw`C:\my app`, { platform: 'win32' })).toBe(String.raw`"C:\my app"`);
  expect(quoteForShell(String.raw`C:\app`, { platform: 'win32' })).toBe(String.raw`C:\app`);
});
