import { describe, expect, it, vi } from 'vitest';
import { offerMayBeTaken } from '../http/quick-response.ts';
import { StatusError } from '../http/status-error.ts';
import { BodyUse, countTasks } from './body-use.ts';

const aborted = new DOMException('The client has left', 'AbortError');

/** The outcome of a read that fails while its request is at some point. */
async function outcomeOf(error: unknown, { answered = false, running = 0 } = {}): Promise<unknown> {
  const use = new BodyUse({ running });
  let outcome: unknown = 'pending';
  use.read(Promise.reject(error as Error)).then(
    () => (outcome = 'resolved'),
    (reason: unknown) => (outcome = reason),
  );
  await undefined;
  if (answered) use.answered();
  await new Promise((resolve) => setTimeout(resolve));
  return outcome;
}

describe('a read of the body that breaks off', () => {
  it('fails for a route that waits for it', async () => {
    expect(await outcomeOf(aborted)).toBe(aborted);
  });

  it('does not settle after the answer, since nobody may handle it', async () => {
    expect(await outcomeOf(aborted, { answered: true })).toBe('pending');
  });

  it('fails after the answer if a task may wait for it', async () => {
    expect(await outcomeOf(aborted, { answered: true, running: 1 })).toBe(aborted);
  });

  it('fails after the answer if the body is malformed or too large', async () => {
    const errors = [new SyntaxError('no JSON'), new TypeError('no form'), new StatusError(413)];
    for (const error of errors) expect(await outcomeOf(error, { answered: true })).toBe(error);
  });
});

describe('a body is read next to the answer', () => {
  const create = (): BodyUse => new BodyUse({ running: 0 });

  it('from the beginning of a read to its end', async () => {
    const use = create();
    expect(use.isReadBeside(new Response())).toBe(false);
    const read = Promise.withResolvers<string>();
    const result = use.read(read.promise);
    expect(use.isReadBeside(new Response())).toBe(true);
    read.resolve('text');
    expect(await result).toBe('text');
    expect(use.isReadBeside(new Response())).toBe(false);
  });

  it('until its read fails', async () => {
    const use = create();
    const read = use.read(Promise.reject(aborted));
    expect(use.isReadBeside(new Response())).toBe(true);
    await expect(read).rejects.toBe(aborted);
    expect(use.isReadBeside(new Response())).toBe(false);
  });

  it('as soon as a route has its stream, unless that is the answer', () => {
    offerMayBeTaken(() => true);
    const use = create();
    const stream = new ReadableStream();
    use.handOut(stream);
    expect(use.isReadBeside(new Response())).toBe(true);
    expect(use.isReadBeside(new Response(stream))).toBe(false);
  });

  it('if a route also has the stream of a clone: only one can be the answer', () => {
    offerMayBeTaken(() => true);
    const use = create();
    const stream = new ReadableStream();
    use.handOut(new ReadableStream());
    use.handOut(stream);
    expect(use.isReadBeside(new Response(stream))).toBe(true);
  });
});

describe(countTasks, () => {
  it('counts the tasks in progress, and passes them to the host', async () => {
    const waitUntil = vi.fn();
    const { host, tasks } = countTasks({ waitUntil });
    expect(tasks.running).toBe(0);
    const fine = Promise.withResolvers<void>();
    const broken = Promise.withResolvers<void>();
    for (const task of [fine.promise, broken.promise]) host.waitUntil?.(task);
    expect(waitUntil.mock.calls).toEqual([[fine.promise], [broken.promise]]);
    expect(tasks.running).toBe(2);
    fine.resolve();
    await fine.promise;
    expect(tasks.running).toBe(1);
    broken.reject(new Error('a task failed'));
    await broken.promise.catch(() => undefined);
    expect(tasks.running).toBe(0);
  });

  it('counts on a host that does not wait for tasks, and keeps its other values', () => {
    const { host, tasks } = countTasks({ requestId: 'id-1' });
    host.waitUntil?.(Promise.resolve());
    expect(tasks.running).toBe(1);
    expect(host.requestId).toBe('id-1');
  });
});
