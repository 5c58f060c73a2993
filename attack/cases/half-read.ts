import { connect } from '../../conformance/generic/raw-http.ts';
import { judgeNext } from '../judge.ts';
import type { Place, SlowCase } from './slow.ts';

/** The ways of app/half-read+api.ts whose promise is the platform's own and is not awaited. */
const DIRECT = [
  'text',
  'json',
  'arrayBuffer',
  'blob',
  'bytes',
  'formData',
  'text of a clone',
  'json of a clone',
  'text of both',
  'a reader',
  'a reader, twice',
  'closed of a reader',
  'pipeTo',
  'pipeTo of a clone',
  'a branch of tee',
  'text, and cancel',
];

/** Ways with a promise or stream of the route's own: handling a failure before the answer is up to the route. */
const DERIVED = [
  'a function that waits for text',
  'a function that reads',
  'pipeThrough and a reader',
  'a Response',
  'Readable.fromWeb',
];

const HEAD = 'Host: x\r\nContent-Type: application/json\r\n';
const PART = `Content-Length: 1000000\r\n\r\n["${'a'.repeat(50_000)}`;

/** A complete body that is answered before it has been read. */
async function complete(way: string, { origin, random }: Place): Promise<string[]> {
  const connection = await connect(origin);
  try {
    await connection.write(`POST ${targetOf(way)} HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\n[]`);
    const { status } = await connection.response();
    return [...judgeStatus(status), ...(await judgeOn(origin, random))];
  } finally {
    connection.destroy();
  }
}

/** A part of a body: the route answers before its end, then the client leaves. */
async function partial(way: string, { origin, random }: Place): Promise<string[]> {
  const connection = await connect(origin);
  await connection.write(`POST ${targetOf(way)} HTTP/1.1\r\n${HEAD}${PART}`);
  const { status } = await connection.response();
  connection.destroy();
  return [...judgeStatus(status), ...(await judgeOn(origin, random))];
}

/** A part of a body: the client leaves before the route answers. */
async function cutOff(way: string, { origin, random }: Place): Promise<string[]> {
  const token = random.token();
  const target = `${targetOf(way)}&token=${token}`;
  const connection = await connect(origin);
  await connection.write(`PUT ${target} HTTP/1.1\r\n${HEAD}${PART}`);
  while ((await (await fetch(origin + target)).text()) !== 'true');
  connection.destroy();
  // The host has noticed this by the time it has answered other requests.
  const wrong = await judgeOn(origin, random);
  await fetch(origin + target, { method: 'DELETE' });
  return [...wrong, ...(await judgeOn(origin, random))];
}

function targetOf(way: string): string {
  return `/half-read?way=${encodeURIComponent(way)}`;
}

function judgeStatus(status: number): string[] {
  return status === 401 ? [] : [`status ${status}`];
}

async function judgeOn(origin: string, random: Place['random']): Promise<string[]> {
  for (let index = 0; index < 3; index++) {
    const wrong = await judgeNext(origin, random.token());
    if (wrong.length > 0) return wrong;
  }
  return [];
}

/**
 * Bodies that a route has begun to read and then left alone.
 *
 * @param isNode – the host reads on after an answer. The other hosts end the reading, which promises and streams
 * derived from the body must handle themselves.
 */
export function halfRead(isNode: boolean): readonly SlowCase[] {
  const section = 'CWE-248';
  const all = [...DIRECT, ...DERIVED];
  const left = isNode ? all : [...DIRECT, 'a function that waits for text'];
  return [
    ...all.map((way) => ({ name: `complete, ${way}`, section, run: (place: Place) => complete(way, place) })),
    ...left.map((way) => ({ name: `partial, ${way}`, section, run: (place: Place) => partial(way, place) })),
    ...DIRECT.map((way) => ({ name: `cut off, ${way}`, section, run: (place: Place) => cutOff(way, place) })),
  ];
}
