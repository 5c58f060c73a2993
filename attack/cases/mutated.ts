import { apart } from '../case.ts';
import type { AttackCase } from '../case.ts';
import type { Random } from '../random.ts';

// Without a token: a changed token would look like that of another request.
const BASES = [
  (host: string) => `GET /echo?q=1 HTTP/1.1\r\nHost: ${host}\r\nAccept: */*\r\n\r\n`,
  (host: string) => `POST /echo HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 10\r\n\r\n0123456789`,
  (host: string) =>
    `POST /ignored HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n`,
  (host: string) => `GET /nested/file.txt HTTP/1.1\r\nHost: ${host}\r\nRange: bytes=0-3\r\n\r\n`,
];

const PIECES = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '%',
  '%00',
  '/',
  '..',
  '//',
  '\\',
  '?',
  '#',
  '\xff',
  '\x7f',
  '0',
  '-',
  'chunked',
  'HTTP/1.1',
  '\r\n\r\n',
];

/** Honest requests with up to four random changes each. */
export function mutated(random: Random, count: number): AttackCase[] {
  return Array.from({ length: count }, (_, index) => {
    const base = random.pick(BASES);
    const changes = Array.from({ length: 1 + random.below(4) }, () => ({
      at: random.below(1_000_000),
      length: random.below(4),
      piece: random.below(3) === 0 ? '' : random.pick(PIECES),
    }));
    return {
      name: `random change ${index + 1}`,
      section: 'RFC 9112',
      bytes: ({ host }) => {
        let bytes = base(host);
        for (const { at, length, piece } of changes) {
          const start = at % bytes.length;
          bytes = bytes.slice(0, start) + piece + bytes.slice(start + length);
        }
        return bytes;
      },
      expected: { ...apart(), statuses: [...apart().statuses, 206, 416, 301, 307] },
    };
  });
}
