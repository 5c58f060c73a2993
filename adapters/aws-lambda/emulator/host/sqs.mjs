import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';

const ACCOUNT = '123456789012';
const REGION = 'eu-central-1';
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
const MOST_BYTES = 262_144;
const LONGEST_DELAY_S = 900;
const LONGEST_VISIBILITY_S = 43_200;
// eslint-disable-next-line no-control-regex
const INVALID = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;

/**
 * SQS with standard queues, for the AWS SDK, with its JSON protocol. Its clock is that of this process.
 *
 * @param queues – by name: `{ VisibilityTimeout, MessageRetentionPeriod, RedrivePolicy: { maxReceiveCount,
 * deadLetterQueue } }`, times in seconds.
 */
export function createSqs(queues) {
  const all = new Map(Object.entries(queues).map(([name, settings]) => [name, new Queue(name, settings)]));
  for (const queue of all.values()) queue.deadLetterQueue = all.get(queue.settings.RedrivePolicy?.deadLetterQueue);
  const server = createServer((request, response) => {
    answer(all, request).then(
      (body) => send(response, 200, body),
      (error) =>
        send(response, error.type ? 400 : 500, {
          __type: `com.amazonaws.sqs#${error.type ?? 'InternalError'}`,
          message: error.message,
        }),
    );
  });
  return {
    server,
    queue: (name) => all.get(name),
    /** The URL of a queue, once the server listens. */
    urlOf: (name) => `http://127.0.0.1:${server.address().port}/${ACCOUNT}/${name}`,
  };
}

async function answer(all, request) {
  const input = JSON.parse(Buffer.concat(await request.toArray()));
  const action = actions[String(request.headers['x-amz-target']).replace(/^AmazonSQS\./, '')];
  if (!action) throw problem('UnsupportedOperation', `${request.headers['x-amz-target']} is not emulated.`);
  if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) {
    throw problem('MissingAuthenticationToken', 'The request is not signed.');
  }
  const queue = all.get(new URL(input.QueueUrl).pathname.replace(`/${ACCOUNT}/`, ''));
  if (!queue) throw problem('QueueDoesNotExist', 'The specified queue does not exist.');
  return action(queue, input);
}

const actions = {
  SendMessage(queue, { MessageBody, DelaySeconds, MessageAttributes }) {
    const { id } = queue.send(MessageBody, { DelaySeconds, MessageAttributes });
    return { MessageId: id, MD5OfMessageBody: md5(MessageBody) };
  },
  ReceiveMessage(queue, { MaxNumberOfMessages = 1 }) {
    const Messages = queue.receive(MaxNumberOfMessages).map((record) => ({
      MessageId: record.messageId,
      ReceiptHandle: record.receiptHandle,
      Body: record.body,
      MD5OfBody: md5(record.body),
      Attributes: record.attributes,
      MessageAttributes: record.messageAttributes,
    }));
    return { Messages };
  },
  DeleteMessage(queue, { ReceiptHandle }) {
    queue.delete(ReceiptHandle);
    return {};
  },
  ChangeMessageVisibility(queue, { ReceiptHandle, VisibilityTimeout }) {
    queue.hide(ReceiptHandle, VisibilityTimeout);
    return {};
  },
};

/** A standard queue. It emits `change` when there may be more to receive. */
class Queue extends EventEmitter {
  deadLetterQueue;
  #messages = [];

  constructor(name, { VisibilityTimeout = 30, MessageRetentionPeriod = 345_600, RedrivePolicy } = {}) {
    super();
    this.name = name;
    this.settings = { VisibilityTimeout, MessageRetentionPeriod, RedrivePolicy };
  }

  send(body, { DelaySeconds = 0, MessageAttributes = {} } = {}) {
    for (const [name, { StringValue }] of Object.entries(MessageAttributes)) {
      if (!StringValue) throw problem('InvalidParameterValue', `The message attribute ${name} has no value.`);
    }
    const texts = [body, ...Object.values(MessageAttributes).map(({ StringValue }) => StringValue)];
    if (texts.some((text) => INVALID.test(text))) {
      throw problem('InvalidMessageContents', 'The message has a character that is not valid.');
    }
    if (Buffer.byteLength(texts.join('')) > MOST_BYTES) throw problem('InvalidParameterValue', 'It is too long.');
    assertBelow('DelaySeconds', DelaySeconds, LONGEST_DELAY_S);
    const now = Date.now();
    const message = {
      id: randomUUID(),
      body,
      attributes: MessageAttributes,
      sentAt: now,
      visibleAt: now + DelaySeconds * 1000,
      receiveCount: 0,
      handle: undefined,
    };
    this.#messages.push(message);
    this.emit('change');
    return message;
  }

  /** Takes what can be received, as records of a Lambda event. */
  receive(most) {
    this.#forgetOld();
    const now = Date.now();
    const taken = [];
    for (const message of this.#messages.filter(({ visibleAt }) => visibleAt <= now)) {
      if (taken.length === most) break;
      if (message.receiveCount >= (this.settings.RedrivePolicy?.maxReceiveCount ?? Number.POSITIVE_INFINITY)) {
        this.#remove(message);
        // The message keeps the time when it was sent.
        this.deadLetterQueue.take(message);
        continue;
      }
      message.receiveCount += 1;
      message.firstAt ??= now;
      message.visibleAt = now + this.settings.VisibilityTimeout * 1000;
      message.receivedAt = now;
      message.handle = randomUUID();
      taken.push(toRecord(message, this.name));
    }
    return taken;
  }

  take(message) {
    this.#messages.push({ ...message, visibleAt: Date.now() });
    this.emit('change');
  }

  delete(handle) {
    const message = this.#find(handle);
    if (message) this.#remove(message);
  }

  hide(handle, seconds) {
    const message = this.#find(handle);
    const now = Date.now();
    if (!message || message.visibleAt <= now) {
      throw problem('MessageNotInflight', 'The message referred to is not in flight.');
    }
    assertBelow('VisibilityTimeout', seconds, LONGEST_VISIBILITY_S);
    if (now + seconds * 1000 > message.receivedAt + LONGEST_VISIBILITY_S * 1000) {
      throw problem('InvalidParameterValue', 'Total VisibilityTimeout for the message is beyond the limit.');
    }
    message.visibleAt = now + seconds * 1000;
    this.emit('change');
  }

  /** Delivers a message again although it is already being processed: a standard queue may do this. */
  repeat(handle) {
    const message = this.#find(handle);
    if (message) message.visibleAt = Date.now();
    this.emit('change');
  }

  /** When there will be something to receive. */
  nextAt() {
    return Math.min(...this.#messages.map(({ visibleAt }) => visibleAt));
  }

  /** The messages in the queue, received or not. */
  list() {
    return this.#messages.map(({ body, attributes, receiveCount, visibleAt }) => ({
      body,
      attributes,
      receiveCount,
      visibleAt,
    }));
  }

  #find(handle) {
    return this.#messages.find((message) => message.handle === handle);
  }

  #remove(message) {
    this.#messages = this.#messages.filter((other) => other !== message);
  }

  #forgetOld() {
    const oldest = Date.now() - this.settings.MessageRetentionPeriod * 1000;
    this.#messages = this.#messages.filter(({ sentAt }) => sentAt >= oldest);
  }
}

// https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html
function toRecord({ id, handle, body, attributes, sentAt, firstAt, receiveCount }, name) {
  return {
    messageId: id,
    receiptHandle: handle,
    body,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(sentAt),
      SenderId: 'AIDAIENQZJOLO23YVJ4VO',
      ApproximateFirstReceiveTimestamp: String(firstAt),
    },
    messageAttributes: attributes,
    md5OfBody: md5(body),
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`,
    awsRegion: REGION,
  };
}

function assertBelow(name, value, most) {
  if (Number.isInteger(value) && value >= 0 && value <= most) return;
  throw problem('InvalidParameterValue', `Value ${value} for parameter ${name} is invalid.`);
}

function problem(type, message) {
  return Object.assign(new Error(message), { type });
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
}

function md5(text) {
  return createHash('md5').update(text).digest('hex');
}
