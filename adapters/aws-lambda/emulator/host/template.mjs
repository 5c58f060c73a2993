import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { parse } = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'))('yaml');

/**
 * What a project's `template.yaml` says: the properties of the function that requests call, those of the function that
 * runs jobs, if any, and the settings of the queues by the names of their resources.
 */
export function readTemplate(project) {
  // CloudFormation's own tags, such as !GetAtt, are replaced by their text.
  const { Resources } = parse(readFileSync(path.join(project, 'template.yaml'), 'utf8'), { logLevel: 'silent' });
  const functions = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Serverless::Function')
    .map(({ Properties }) => Properties);
  const isQueue = ([, { Type }]) => Type === 'AWS::SQS::Queue';
  const queues = Object.entries(Resources)
    .filter(isQueue)
    .map(([name, { Properties }]) => [name, toQueue(Properties)]);
  const jobs = functions.find((found) => findMapping(found) !== undefined);
  return { web: functions.find((found) => found !== jobs), jobs, queues: Object.fromEntries(queues) };
}

/** The event that calls a function with the messages of a queue, and the name of that queue. */
export function findMapping({ Events = {} }) {
  const event = Object.values(Events).find(({ Type }) => Type === 'SQS');
  return event && { ...event.Properties, Queue: toName(event.Properties.Queue) };
}

/** The variables of a function. A reference to a queue is its URL. */
export function toVariables({ Environment = {} }, urlOf) {
  const pairs = Object.entries(Environment.Variables ?? {});
  return Object.fromEntries(pairs.map(([name, value]) => [name, urlOf(value) ?? String(value)]));
}

/** What the template puts in front of its function: a key of `fronts`. */
export function findFront({ FunctionUrlConfig, Events = {} }) {
  if (FunctionUrlConfig !== undefined) return 'functionUrl';
  const [event] = Object.values(Events);
  if (event === undefined) return 'loadBalancer';
  return event.Type === 'Api' ? 'restApi' : 'httpApi';
}

function toQueue({ RedrivePolicy, ...settings }) {
  if (RedrivePolicy === undefined) return settings;
  const { deadLetterTargetArn, maxReceiveCount } = RedrivePolicy;
  return { ...settings, RedrivePolicy: { maxReceiveCount, deadLetterQueue: toName(deadLetterTargetArn) } };
}

function toName(arn) {
  return arn.replace(/\.Arn$/, '');
}
