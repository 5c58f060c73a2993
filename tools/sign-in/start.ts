import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { signIn, visit } from './visit.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
/** None of these is an expectation: they end the test when nothing else does. */
const LIMIT_MS = { invited: 600_000, ended: 60_000 };

/** Does what a newcomer does: runs `npm start -- sign-in`, signs in at the printed URL, and stops it with Ctrl-C. */
export async function checkStart(browser: Browser): Promise<void> {
  // A process group, as in a terminal, where Ctrl-C reaches every process.
  const child = spawn('npm', ['start', '--', 'sign-in'], {
    cwd: REPOSITORY,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const group = -(child.pid ?? NaN);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    let output = '';
    const invited = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          if (output.includes('Ctrl-C stops it.')) resolve();
        });
    });
    await Promise.race([invited, ended, delay(LIMIT_MS.invited, undefined, { ref: false })]);
    const [, origin] = /^ {2}Open {2}(http:\S+)$/m.exec(output) ?? [];
    const [, issuer, name] = /^Local provider: (http:\S+)\. Sign in as (\w+ \w+) or /m.exec(output) ?? [];
    assert.ok(origin && issuer && name, `It did not print the URL to open, or who can sign in. It printed:\n${output}`);

    await visit({ browser, origin }, (user) => signIn(user, name));

    process.kill(group, 'SIGINT');
    const hasEnded = await Promise.race([ended.then(() => true), delay(LIMIT_MS.ended, false, { ref: false })]);
    assert.ok(hasEnded, `It did not end. It printed:\n${output}`);
    for (const url of [origin, issuer]) await assertRefused(url);
    assert.doesNotMatch(output, /^error|WARNING/m);
  } finally {
    // Asked to end first: the server is in a separate group, which only they can end.
    if (isRunning(group)) process.kill(group, 'SIGTERM');
    await Promise.race([ended, delay(LIMIT_MS.ended, undefined, { ref: false })]);
    if (isRunning(group)) process.kill(group, 'SIGKILL');
    // A connection that is still open must not keep us waiting.
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

async function assertRefused(url: string): Promise<void> {
  const answer = await fetch(url).then(
    () => 'it answers',
    (error: Error) => String((error.cause as { code?: unknown }).code),
  );
  assert.equal(answer, 'ECONNREFUSED', `${url} after Ctrl-C`);
}

function isRunning(group: number): boolean {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
}
