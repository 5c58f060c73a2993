// The only file that imports the YAML parser. Only the CLI loads it.
import { parseDocument } from 'yaml';

/**
 * Reads a CloudFormation template. Its tags, such as `!GetAtt Jobs.Arn`, are replaced by their text.
 *
 * @throws Error for invalid YAML.
 */
export function parseTemplate(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'silent' });
  const [error] = document.errors;
  if (error) throw error;
  return document.toJS();
}
