import { deferTask, StatusError } from 'appkit-server';
import { randomUUID } from 'node:crypto';
import { writeAuditLog } from '../server/audit-log.ts';
import { readTodoInput } from '../server/todo-input.ts';
import { todos } from '../server/todos.ts';
import type { Todo } from '../server/todos.ts';

/** GET /todos, GET /todos?done=true */
export function GET(request: Request): Response {
  const done = new URL(request.url).searchParams.get('done');
  const all = [...todos.values()];
  return Response.json(done === null ? all : all.filter((todo) => String(todo.done) === done));
}

/** POST /todos with { "title": "…" } */
export async function POST(request: Request): Promise<Response> {
  const { title, done = false } = await readTodoInput(request);
  if (title === undefined)
    throw new StatusError(422, { error: 'The todo is not valid.', fields: { title: 'Is missing.' } });

  const todo: Todo = { id: randomUUID(), title, done };
  todos.set(todo.id, todo);
  deferTask(() => writeAuditLog(`Created the todo ${todo.title}`));
  return Response.json(todo, { status: 201, headers: { location: `/todos/${todo.id}` } });
}
