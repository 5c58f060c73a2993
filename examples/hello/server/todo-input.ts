import { StatusError } from 'appkit-server';
import { readJsonObject } from './json-body.ts';
import type { Todo } from './todos.ts';

const MAX_TITLE_LENGTH = 200;

type TodoInput = Partial<Pick<Todo, 'title' | 'done'>>;

/** The todo that a client has sent, validated. A StatusError becomes the answer: `{ "error": …, "fields": … }`. */
export async function readTodoInput(request: Request): Promise<TodoInput> {
  const body = await readJsonObject(request);
  const fields: Record<string, string> = {};
  const input: TodoInput = {};

  for (const [name, value] of Object.entries(body)) {
    if (name === 'title') {
      if (isTitle(value)) input.title = value.trim();
      else fields['title'] = `Must be text of 1 to ${MAX_TITLE_LENGTH} characters.`;
    } else if (name === 'done') {
      if (typeof value === 'boolean') input.done = value;
      else fields['done'] = 'Must be true or false.';
    } else {
      fields[name] = 'This field does not exist.';
    }
  }

  if (Object.keys(fields).length > 0) throw new StatusError(422, { error: 'The todo is not valid.', fields });
  return input;
}

function isTitle(value: unknown): value is string {
  return typeof value === 'string' && value.trim().length > 0 && value.length <= MAX_TITLE_LENGTH;
}
