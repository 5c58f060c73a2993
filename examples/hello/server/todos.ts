export interface Todo {
  id: string;
  title: string;
  done: boolean;
}

/**
 * The todos, in memory. All routes share the same Map: a module is evaluated once per process. Data that must survive a
 * restart, or be shared by several servers, belongs in a database.
 */
export const todos = new Map<string, Todo>([
  ['read', { id: 'read', title: 'Read app/todos+api.ts', done: true }],
  ['change', { id: 'change', title: 'Change it, export, and serve again', done: false }],
]);
