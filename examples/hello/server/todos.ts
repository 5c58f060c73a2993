export interface Todo {
  id: string;
  title: string;
  done: boolean;
}

/**
 * The todos, in memory.
 *
 * Each route is bundled into a file of its own, with its own copy of every module it imports. A `new Map()` at the top
 * of this file would therefore exist twice, once for /todos and once for /todos/[id]. What routes share in memory lives
 * on globalThis; what must survive a restart, or be shared by several servers, lives in a database.
 */
export function todos(): Map<string, Todo> {
  const shared = globalThis as { [TODOS]?: Map<string, Todo> };
  shared[TODOS] ??= new Map(EXAMPLES.map((todo) => [todo.id, todo]));
  return shared[TODOS];
}

const TODOS = Symbol.for('hello.todos');

const EXAMPLES: Todo[] = [
  { id: 'read', title: 'Read app/todos+api.ts', done: true },
  { id: 'change', title: 'Change it, export, and serve again', done: false },
];
