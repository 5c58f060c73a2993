import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../conformance/generic/raw-http.ts';
import type { RawResponse } from '../conformance/generic/raw-http.ts';
import { isRefusal } from './case.ts';
import type { AttackCase, Target } from './case.ts';

/** What came back on the connection of a case. */
interface Outcome {
  responses: RawResponse[];
  /** The server closed the connection; otherwise it was still open when nothing more came. */
  isClosed: boolean;
  /** Bytes that are not a response. */
  garbage: string;
}

/**
 * How long a connection must be silent before the case counts as waiting: for this many milliseconds, and while this
 * many requests of other clients are answered one after the other. A machine that is slow for this connection is
 * equally slow for those.
 */
const SILENCE = { milliseconds: 500, others: 5 };

/** Ends a request that is never answered. */
const FUSE_MS = 60_000;

/** The result of a case. */
export interface Verdict {
  /** What is wrong; empty when all is right. */
  problems: string[];
  /** Whether the app itself has answered, and nothing in front has refused the request. */
  isAnswered: boolean;
}

/** Plays a case against a server, followed immediately by an honest request. */
export async function play(attack: AttackCase, origin: string, token: string): Promise<Verdict> {
  const target: Target = { host: new URL(origin).host, token };
  const bytes = attack.bytes(target);
  const canary = `GET /canary/${token} HTTP/1.1\r\nHost: ${target.host}\r\nConnection: close\r\n\r\n`;
  const outcome = await exchange(origin, [toBuffer(bytes), Buffer.from(canary)], attack.method);
  const [first] = outcome.responses;
  return {
    problems: [...judge(attack, outcome, token), ...(await judgeNext(origin, token))],
    isAnswered: first !== undefined && !isCanary(first, token) && !isRefusal(first.status),
  };
}

function toBuffer(bytes: string | Uint8Array): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
}

async function exchange(origin: string, parts: readonly Buffer[], method = 'GET'): Promise<Outcome> {
  const connection = await connect(origin);
  const responses: RawResponse[] = [];
  try {
    // A server that refuses the beginning may close the connection before it has read the rest.
    connection.write(Buffer.concat(parts)).catch(() => undefined);
    for (;;) {
      const response = await orSilence(connection.response(responses.length === 0 ? method : 'GET'), origin);
      if (response === 'silent') return { responses, isClosed: false, garbage: connection.unread().toString('latin1') };
      responses.push(response);
    }
  } catch (error) {
    const garbage = connection.unread().toString('latin1') || misreading(error as Error);
    return { responses, isClosed: true, garbage };
  } finally {
    connection.destroy();
  }
}

// Every exchange ends with the connection closing; any other message was sent by the server.
function misreading({ message }: Error): string {
  return message.startsWith('The connection closed before') ? '' : message;
}

async function orSilence<T>(work: Promise<T>, origin: string): Promise<T | 'silent'> {
  const ended = new AbortController();
  const { signal } = ended;
  const silence = async (): Promise<'silent'> => {
    await delay(SILENCE.milliseconds, undefined, { signal });
    for (let index = 0; index < SILENCE.others; index++) {
      const response = await fetch(`${origin}/canary/silence`, { headers: { connection: 'close' }, signal });
      await response.arrayBuffer();
    }
    return 'silent';
  };
  // Whichever is abandoned fails: the work fails when the connection is destroyed.
  work.catch(() => undefined);
  const silent = silence();
  silent.catch(() => undefined);
  return Promise.race([work, silent]).finally(() => ended.abort());
}

function judge({ expected }: AttackCase, { responses, isClosed, garbage }: Outcome, token: string): string[] {
  const [first, second, ...more] = responses;
  const problems = responses.flatMap((response) => signsOfHarm(response, token));
  if (garbage !== '' && !expected.bytes?.(garbage))
    problems.push(`bytes that are no response: ${JSON.stringify(garbage.slice(0, 200))}`);
  if (more.length > 0) problems.push(`${responses.length} answers to two requests`);
  if (first === undefined) {
    if (isClosed && !expected.closes) problems.push('the connection closed without an answer');
    if (!isClosed && !expected.waits) problems.push('no answer');
    return problems;
  }
  if (isCanary(first, token)) {
    // The bytes that were sent counted as nothing at all.
    if (!expected.closes) problems.push('no answer of its own');
  } else if (!expected.statuses.includes(first.status)) {
    problems.push(`status ${first.status}: ${first.body.toString().slice(0, 200)}`);
  } else if (!isRefusal(first.status) && first.status !== 500) {
    const problem = expected.check?.(first);
    if (problem !== undefined) problems.push(problem);
  }
  // The end of a refused request is unknown, so the connection must close or continue exactly after it.
  if (second && !isCanary(second, token) && !isRefusal(second.status)) {
    problems.push(
      `the next request on the connection was answered ${second.status}: ${second.body.toString().slice(0, 200)}`,
    );
  }
  if (!second && !isClosed && !expected.waits) problems.push('the next request on the connection was not answered');
  return problems;
}

function isCanary({ status, body }: RawResponse, token: string): boolean {
  return status === 200 && body.toString() === `canary ${token}`;
}

/** Contents that no answer may have. */
function signsOfHarm({ status, headers, body }: RawResponse, token: string): string[] {
  const all = `${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n${body.toString('latin1')}`;
  const problems: string[] = [];
  if (/SMUGGLED/.test(body.toString('latin1')) && !/"headers"/.test(all))
    problems.push('the smuggled request was answered');
  if (headers.some(([name]) => /^x-(?:injected|smuggled)$/i.test(name))) problems.push('a header was injected');
  if (/GUARDED/.test(all)) problems.push('the guarded route was reached');
  if (/SECRET-OF|appkit-server\.tgz|root:x:0|require\(|"polluted":true/.test(all)) problems.push('a secret came out');
  if (/\n\s+at .+:\d+:\d+/.test(all)) problems.push('a stack trace came out');
  const strange = [...all.matchAll(/tok-[0-9a-f]{12}/g)].find(([found]) => found !== token);
  if (strange) problems.push(`it has the token of another request: ${strange[0]}`);
  if (status === 500 && body.toString() !== 'Internal server error')
    problems.push(`a 500 that says ${body.toString().slice(0, 200)}`);
  return problems;
}

/** Whether the next request, from another client, is answered correctly. */
export async function judgeNext(origin: string, token: string): Promise<string[]> {
  try {
    const response = await fetch(`${origin}/canary/${token}-next`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(FUSE_MS),
    });
    const body = await response.text();
    return response.status === 200 && body === `canary ${token}-next`
      ? []
      : [`the next request got ${response.status}: ${body}`];
  } catch (error) {
    return [`the next request failed: ${String((error as Error).cause ?? error)}`];
  }
}
