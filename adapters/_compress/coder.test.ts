import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Coder, CODINGS, compress } from './coder.ts';

const decode = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };
const text = 'a part of it. '.repeat(1000);

it.each(CODINGS)('compresses a whole body with %s', async (coding) => {
  const long = text.repeat(10);
  for (const body of [text, Buffer.from(text), long, Buffer.from(long), 'ä€😀']) {
    const coded = await compress(coding, body);
    if (body.length > 100) expect(coded.length).toBeLessThan(body.length / 10);
    expect(decode[coding](coded).toString()).toBe(body.toString());
  }
});

it.each(CODINGS)('returns each part of a stream at once with %s', async (coding) => {
  const coder = new Coder(coding);
  const parts = [await coder.write(Buffer.from('first ')), await coder.write(Buffer.from('second'))];
  for (const part of parts) expect(part.length).toBeGreaterThan(0);
  expect(decode[coding](Buffer.concat([...parts, await coder.end()])).toString()).toBe('first second');
});

it.each(CODINGS)('accepts a part that is much larger than its buffers with %s', async (coding) => {
  const coder = new Coder(coding);
  const random = crypto.getRandomValues(new Uint8Array(65_536));
  const large = Buffer.concat(Array.from({ length: 32 }, (_, index) => random.subarray(index)));
  const coded = Buffer.concat([await coder.write(large), await coder.end()]);
  expect(decode[coding](coded).equals(large)).toBe(true);
});

it('codes a stream that stays open with little memory', async () => {
  const coder = new Coder('gzip', { isSmall: true });
  const parts = [await coder.write(Buffer.from(text)), await coder.write(Buffer.from('more')), await coder.end()];
  expect(gunzipSync(Buffer.concat(parts)).toString()).toBe(`${text}more`);
});

it('fails a part once it is destroyed', async () => {
  const coder = new Coder('gzip');
  coder.destroy();
  await expect(coder.write(Buffer.from('late'))).rejects.toThrow();
});
