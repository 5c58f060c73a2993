import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../conformance/generic/raw-http.ts';
import type { Connection } from '../../conformance/generic/raw-http.ts';
import { inParallel } from '../../conformance/in-parallel.ts';
import { judgeNext } from '../judge.ts';
import type { Random } from '../random.ts';
import { memoryOf } from '../start-host.ts';

/** The place of an attack that takes time. */
export interface Place {
  origin: string;
  random: Random;
}

/** An attack with connections that make no progress. */
export interface SlowCase {
  name: string;
  section: string;
  /** Returns what is wrong. */
  run(place: Place): Promise<string[]>;
}

/** A way to make no progress. */
interface Stuck {
  name: string;
  /** The beginning of a request. */
  bytes: string;
  /** What is sent again and again afterwards. */
  next: string;
}

/** The ways in which connections make no progress. */
export const stuck: readonly Stuck[] = [
  { name: 'silent connections', bytes: '', next: '' },
  { name: 'heads that never end', bytes: 'GET /echo HTTP/1.1\r\nHost: x\r\n', next: 'X: 1\r\n' },
  { name: 'request lines that never end', bytes: 'GET /', next: 'a' },
  {
    name: 'bodies that never end',
    bytes: 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n',
    next: 'a',
  },
  {
    name: 'chunked bodies that never end',
    bytes: 'POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
    next: '1\r\na\r\n',
  },
];

const HELD = 100;

/** How many requests of other clients are answered meanwhile. */
const OTHERS = 25;

/** Ends a case whose connections stay open: many times the lowered time-outs, and less than the others. */
const FUSE_MS = 45_000;

/** Holds many such connections. Other clients are answered all the while. */
function hold({ origin, random }: Place, how: Stuck): Promise<string[]> {
  return stick(origin, how, async (drip) => {
    const wrong = await judgeOthers(origin, random);
    drip();
    return [...wrong, ...(await judgeOthers(origin, random))];
  });
}

/** Holds many such connections until `node:http`, with lowered time-outs, has closed them. It may refuse other clients meanwhile. */
export function endStuck(origin: string, how: Stuck): Promise<string[]> {
  return stick(origin, how, async (drip, held) => {
    drip();
    const closed = Promise.all(held.map((connection) => connection.closed())).then(() => true);
    return (await Promise.race([closed, delay(FUSE_MS, false, { ref: false })])) ? [] : ['they are never closed'];
  });
}

async function stick(
  origin: string,
  { bytes, next }: Stuck,
  use: (drip: () => void, held: readonly Connection[]) => Promise<string[]>,
): Promise<string[]> {
  const held: Connection[] = [];
  // The server may have closed the connection.
  const send = (connection: Connection, data: string): Promise<void> => connection.write(data).catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const drip = (): void => void (timer = setInterval(() => held.forEach((one) => send(one, next)), 200));
  try {
    for (let index = 0; index < HELD; index++) {
      const connection = await connect(origin);
      held.push(connection);
      await send(connection, bytes);
    }
    return await use(drip, held);
  } finally {
    clearInterval(timer);
    for (const connection of held) connection.destroy();
  }
}

/** Sends requests like other clients while connections are held. Returns what is wrong with an answer. */
async function judgeOthers(origin: string, random: Random): Promise<string[]> {
  for (let index = 0; index < OTHERS; index++) {
    const wrong = await judgeNext(origin, random.token());
    if (wrong.length > 0) return wrong;
  }
  return [];
}

/** Starts a request again and again, and leaves each time. */
async function leave({ origin, random }: Place, bytes: string): Promise<string[]> {
  for (let index = 0; index < HELD; index++) {
    const connection = await connect(origin);
    await connection.write(bytes);
    if (index % 2 === 0) await delay(1);
    if (index % 3 === 0) connection.socket.resetAndDestroy();
    else connection.destroy();
  }
  return judgeNext(origin, random.token());
}

const OPEN = 1000;
/**
 * How much memory a compressed stream that stays open may hold, in bytes, including its connection: a coder without the
 * option for small memory holds more on its own.
 */
const OPEN_BYTES = 450_000;

/**
 * Keeps many compressed streams open, in turn for each coding. Returns what is wrong with answers to other clients, and
 * with the memory held.
 */
async function keepOpen({ origin, random }: Place): Promise<string[]> {
  const codings = ['zstd', 'gzip', 'gzip, deflate, br, zstd'];
  const held: Connection[] = [];
  const before = (await memoryOf(origin)).rss;
  try {
    await inParallel([...Array(OPEN).keys()], 50, async (index) => {
      const connection = await connect(origin);
      held.push(connection);
      await connection.write(
        `GET /open HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${codings[index % codings.length]}\r\n\r\n`,
      );
      const { status } = await connection.head();
      if (status !== 200) throw new Error(`a stream was answered ${status}`);
    });
    const wrong = await judgeOthers(origin, random);
    const heldBytes = (await memoryOf(origin)).rss - before;
    if (heldBytes > OPEN * OPEN_BYTES) wrong.push(`${OPEN} open streams hold ${heldBytes} bytes`);
    return wrong;
  } finally {
    for (const connection of held) connection.destroy();
  }
}

/** Slow, silent and vanishing clients. */
export const slow: readonly SlowCase[] = [
  ...stuck.map((how) => ({
    name: how.name,
    section: 'CWE-400',
    run: (place: Place) => hold(place, how),
  })),
  {
    name: 'uploads that are broken off',
    section: 'RFC 9112 section 8',
    run: (place) =>
      leave(place, `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n${'a'.repeat(50_000)}`),
  },
  {
    name: 'chunked uploads that are broken off',
    section: 'RFC 9112 section 8',
    run: (place) =>
      leave(place, `POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n${'a'.repeat(1000)}`),
  },
  {
    name: 'streams whose reader leaves',
    section: 'RFC 9112 section 8',
    run: (place) => leave(place, 'GET /stream?parts=1000000&token=x HTTP/1.1\r\nHost: x\r\n\r\n'),
  },
  {
    name: 'streams that nobody reads',
    section: 'CWE-400',
    async run({ origin, random }) {
      const held: Connection[] = [];
      try {
        for (let index = 0; index < 30; index++) {
          const connection = await connect(origin);
          connection.socket.pause();
          held.push(connection);
          await connection.write('GET /stream?parts=1000000&token=x HTTP/1.1\r\nHost: x\r\n\r\n');
        }
        return await judgeOthers(origin, random);
      } finally {
        for (const connection of held) connection.destroy();
      }
    },
  },
  {
    name: 'a thousand streams that stay open, compressed',
    section: 'CWE-400',
    run: keepOpen,
  },
  {
    name: '200 requests behind one another, and nobody reads the answers',
    section: 'RFC 9112 section 9.3.2',
    async run({ origin, random }) {
      const connection = await connect(origin);
      connection.socket.pause();
      await connection.write('GET /echo HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200));
      const wrong = await judgeOthers(origin, random);
      connection.destroy();
      return wrong;
    },
  },
];
