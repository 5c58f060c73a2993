import { WriteStream } from 'node:tty';
import { expect, it } from 'vitest';
import { createProgressLine } from './progress.ts';

it('replaces one line and erases it', () => {
  const { stream, written } = terminal({ isTTY: true });
  const line = createProgressLine(stream);
  line.update({ done: 1, total: 2, file: 'app/a+api.ts' });
  line.update({ done: 2, total: 2, file: 'app/b+api.ts' });
  line.erase();
  expect(written).toEqual([
    '\r\u001B[KExporting 1/2 app/a+api.ts',
    '\r\u001B[KExporting 2/2 app/b+api.ts',
    '\r\u001B[K',
  ]);
});

it('cuts text that would wrap', () => {
  const { stream, written } = terminal({ isTTY: true });
  createProgressLine(stream).update({ done: 1, total: 2, file: 'x'.repeat(100) });
  expect(written[0]).toHaveLength('\r\u001B[K'.length + 39);
});

it('prints nothing without a terminal', () => {
  const { stream, written } = terminal({ isTTY: false });
  const line = createProgressLine(stream);
  line.update({ done: 1, total: 2, file: 'app/a+api.ts' });
  line.erase();
  expect(written).toEqual([]);
});

// A terminal of 40 columns. A test has no real one.
function terminal({ isTTY }: { isTTY: boolean }): { stream: WriteStream; written: string[] } {
  const written: string[] = [];
  const stream = Object.assign(Object.create(WriteStream.prototype) as WriteStream, {
    isTTY,
    columns: 40,
    write: (text: string) => written.push(text) > 0,
  });
  return { stream, written };
}
