// The one file that imports the parser of YAML. Only the command line loads it.
import { parseDocument } from 'yaml';

/**
 * Reads a template of CloudFormation. Its tags, such as `!GetAtt Jobs.Arn`, become their text.
 *
 * @throws Error for what is no YAML.
 */
export function parseTemplate(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'silent' });
  const [error] = document.errors;
  if (error) throw error;
  return document.toJS();
}
