import { deferTask, StatusError } from 'appkit-server';
import { writeAuditLog } from '../../server/audit-log.ts';
import { readTodoInput } from '../../server/todo-input.ts';
import { todos } from '../../server/todos.ts';
import type { Todo } from '../../server/todos.ts';

type Params = Record<string, string>;

/** GET /todos/<id> */
export function GET(_request: Request, { id }: Params): Response {
  return Response.json(findTodo(id));
}

/** PATCH /todos/<id> with some of { "title": "…", "done": true } */
export async function PATCH(request: Request, { id }: Params): Promise<Response> {
  const todo = findTodo(id);
  Object.assign(todo, await readTodoInput(request));
  deferTask(() => writeAuditLog(`Changed the todo ${todo.title}`));
  return Response.json(todo);
}

/** DELETE /todos/<id> */
export function DELETE(_request: Request, { id }: Params): Response {
  const todo = findTodo(id);
  todos.delete(todo.id);
  deferTask(() => writeAuditLog(`Deleted the todo ${todo.title}`));
  return new Response(null, { status: 204 });
}

function findTodo(id = ''): Todo {
  const todo = todos.get(id);
  if (!todo) throw new StatusError(404, `Unknown todo: ${id}.`);
  return todo;
}
