import { detailOf, pointerOf } from '../contract/problem.ts';
import type { StandardSchemaV1 } from '../contract/standard-schema.ts';

/** So many issues are named. */
const MOST_ISSUES = 5;

/** Checks an input with its job's schema. Returns the schema's output, or its problems. */
export async function checkInput(
  schema: StandardSchemaV1 | undefined,
  input: unknown,
): Promise<{ value: unknown } | { problem: string }> {
  if (!schema) return { value: input };
  const result = await schema['~standard'].validate(input);
  if (!result.issues) return { value: result.value };
  const named = result.issues.slice(0, MOST_ISSUES).map((issue) => `${pointerOf(issue)}: ${detailOf(issue)}`);
  const more = result.issues.length - named.length;
  return { problem: `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}` };
}
