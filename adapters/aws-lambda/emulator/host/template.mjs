import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { parse } = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'))('yaml');

/** The properties of the function in a project's `template.yaml`. */
export function readFunction(project) {
  // CloudFormation's own tags, such as !GetAtt, are for its outputs only.
  const { Resources } = parse(readFileSync(path.join(project, 'template.yaml'), 'utf8'), { logLevel: 'silent' });
  const { Properties } = Object.values(Resources).find(({ Type }) => Type === 'AWS::Serverless::Function');
  return Properties;
}

/** What the template puts in front of its function: a name of `fronts`. */
export function findFront({ FunctionUrlConfig, Events = {} }) {
  if (FunctionUrlConfig !== undefined) return 'functionUrl';
  const [event] = Object.values(Events);
  if (event === undefined) return 'loadBalancer';
  return event.Type === 'Api' ? 'restApi' : 'httpApi';
}
