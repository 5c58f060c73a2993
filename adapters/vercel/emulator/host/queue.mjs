import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, request as call } from 'node:http';

const MOST_VISIBILITY_S = 3600;
const MOST_RETENTION_S = 604_800;
const VISIBILITY_S = 300;
const DAY_S = 86_400;

/**
 * Vercel Queues for its client, @vercel/queue, with one consumer group for each topic:
 * https://vercel.com/docs/queues/api. Its clock is that of this process.
 *
 * @param token – the token that a request must carry.
 */
export function createQueues(token) {
  const topics = new Map();
  const topicOf = (name) => {
    if (!/^[\w-]+$/.test(name)) throw problem(400, `${name} is no name of a topic.`);
    if (!topics.has(name)) topics.set(name, new Topic(name));
    return topics.get(name);
  };
  const answer = async ({ method, url, headers, body }) => {
    if (headers.authorization !== `Bearer ${token}`) throw problem(401, 'The token is not valid.');
    if (!headers['vqs-deployment-id']) throw problem(400, 'Of which deployment?');
    const [, name, , handle] = /^\/api\/v3\/topic\/([^/]+)(\/consumer\/[^/]+\/lease\/([^/]+))?$/.exec(url) ?? [];
    if (name === undefined) throw problem(404, `${method} ${url} is not emulated.`);
    const topic = topicOf(name);
    if (method === 'POST' && handle === undefined) {
      return [201, { messageId: topic.send(body, headers['content-type'], toOptions(headers)).id }];
    }
    if (method === 'DELETE') topic.acknowledge(handle);
    else if (method === 'PATCH') topic.hide(handle, JSON.parse(body).visibilityTimeoutSeconds);
    else throw problem(405, method);
    return [200, { success: true }];
  };
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    request
      .toArray()
      .then((chunks) => answer({ method, url, headers, body: Buffer.concat(chunks) }))
      .catch((error) => [error.status ?? 500, { error: error.message }])
      .then(([status, body]) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      );
  });
  return { server, topic: topicOf };
}

function toOptions(headers) {
  const [delay, retention] = [headers['vqs-delay-seconds'] ?? 0, headers['vqs-retention-seconds'] ?? DAY_S].map(Number);
  assertBelow('retention', retention, MOST_RETENTION_S);
  assertBelow('delay', delay, retention);
  return { delay, retention, key: headers['vqs-idempotency-key'] };
}

/** A topic. It emits `change` when there may be more to deliver. */
class Topic extends EventEmitter {
  #messages = [];
  #keys = new Map();

  constructor(name) {
    super();
    this.name = name;
  }

  send(body, contentType, { delay = 0, retention = DAY_S, key } = {}) {
    const now = Date.now();
    const message = {
      id: randomUUID(),
      body,
      contentType,
      sentAt: now,
      visibleAt: now + delay * 1000,
      deliveryCount: 0,
    };
    message.expiresAt = now + retention * 1000;
    if (key !== undefined) {
      // The second message with a key is accepted, and not delivered.
      if (this.#keys.get(key) > now) return message;
      this.#keys.set(key, now + Math.min(retention, DAY_S) * 1000);
    }
    this.#messages.push(message);
    this.emit('change');
    return message;
  }

  /** Takes a message that can be delivered. */
  receive() {
    const now = Date.now();
    this.#messages = this.#messages.filter(({ expiresAt }) => expiresAt > now);
    const message = this.#messages.find(({ visibleAt }) => visibleAt <= now);
    if (!message) return undefined;
    message.deliveryCount += 1;
    message.visibleAt = now + VISIBILITY_S * 1000;
    message.handle = randomUUID();
    return { ...message };
  }

  acknowledge(handle) {
    const message = this.#find(handle);
    this.#messages = this.#messages.filter((other) => other !== message);
  }

  hide(handle, seconds) {
    assertBelow('visibility', seconds, MOST_VISIBILITY_S);
    this.#find(handle).visibleAt = Date.now() + seconds * 1000;
    this.emit('change');
  }

  /** Delivers all messages again, although they are already being processed. */
  repeat() {
    for (const message of this.#messages) message.visibleAt = Date.now();
    this.emit('change');
  }

  /** When there will be something to deliver. */
  nextAt() {
    return Math.min(...this.#messages.map(({ visibleAt }) => visibleAt));
  }

  /** The messages in the topic, delivered or not. */
  list() {
    return this.#messages.map(({ body, visibleAt, sentAt, deliveryCount }) => ({
      body: JSON.parse(body),
      delay: visibleAt - sentAt,
      deliveryCount,
    }));
  }

  #find(handle) {
    const message = this.#messages.find((one) => one.handle === handle);
    if (!message) throw problem(404, 'There is no message with this receipt handle.');
    return message;
  }
}

/** The headers with which a function is called with a message. */
export function toHeaders(topic, { id, handle, deliveryCount, sentAt, expiresAt, visibleAt, contentType }) {
  const times = Object.entries({ createdat: sentAt, expiresat: expiresAt, visibilitydeadline: visibleAt });
  return {
    'ce-type': 'com.vercel.queue.v2beta',
    'ce-vqsqueuename': topic.name,
    'ce-vqsconsumergroup': 'api_jobs',
    'ce-vqsmessageid': id,
    'ce-vqsreceipthandle': handle,
    'ce-vqsdeliverycount': String(deliveryCount),
    'ce-vqsregion': 'iad1',
    'content-type': contentType,
    ...Object.fromEntries(times.map(([name, time]) => [`ce-vqs${name}`, new Date(time).toISOString()])),
  };
}

/**
 * Calls a function with arriving messages, with at most this many calls at the same time. A message that is answered
 * with an error comes again.
 */
export async function deliverAll(topic, { maxConcurrency = 100, retryAfterSeconds = 60 }, { portOf, path }) {
  let running = 0;
  for (;;) {
    while (running < maxConcurrency && topic.nextAt() <= Date.now()) {
      const message = topic.receive();
      if (!message) break;
      running += 1;
      void post({ portOf, path, headers: toHeaders(topic, message) }, message.body)
        .then((status) => status < 300 || topic.hide(message.handle, retryAfterSeconds))
        .catch(() => topic.hide(message.handle, retryAfterSeconds))
        .finally(() => {
          running -= 1;
          topic.emit('change');
        });
    }
    const until = topic.nextAt() - Date.now();
    const timer =
      until > 0 && Number.isFinite(until)
        ? setTimeout(() => topic.emit('change'), Math.min(until, 2 ** 31 - 1))
        : undefined;
    await once(topic, 'change');
    clearTimeout(timer);
  }
}

async function post({ portOf, path, headers }, body) {
  const request = call({ host: '127.0.0.1', port: await portOf(), path, method: 'POST', headers, agent: false });
  request.end(body);
  const [response] = await once(request, 'response');
  response.resume();
  return response.statusCode;
}

function assertBelow(name, value, most) {
  if (Number.isInteger(value) && value >= 0 && value <= most) return;
  throw problem(400, `A ${name} of ${value} is not valid.`);
}

function problem(status, message) {
  return Object.assign(new Error(message), { status });
}
