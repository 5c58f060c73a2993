import assert from 'node:assert/strict';
import { ask, sendJson, waitForAudit } from './app.ts';
import type { App, ExampleChecks } from './app.ts';

interface Todo {
  id: string;
  title: string;
  done: boolean;
}

/** The routes of the todos: JSON, validation, a parameter, `StatusError`, `deferTask`. */
export const todosChecks: ExampleChecks = {
  async 'creates a todo with 201 and Location, which leads to it'(app) {
    const response = await sendJson(app, 'POST', '/todos', { title: ' Buy milk ' });
    assert.equal(response.status, 201);
    const todo = (await response.json()) as Todo; // compared with the expected values in the next lines
    assert.deepEqual(todo, { id: todo.id, title: 'Buy milk', done: false });
    const location = response.headers.get('location') ?? '';
    assert.equal(location, `/todos/${todo.id}`);
    assert.deepEqual(await (await ask(app, location)).json(), todo);
  },

  async 'shares the todos between both routes'(app) {
    const { id } = await createTodo(app, 'Share me');
    assert.deepEqual(findTodo(await listTodos(app), id), { id, title: 'Share me', done: false });

    const changed = await sendJson(app, 'PATCH', `/todos/${id}`, { done: true });
    assert.deepEqual([changed.status, await changed.json()], [200, { id, title: 'Share me', done: true }]);
    assert.ok(findTodo(await listTodos(app, '?done=true'), id), 'GET /todos?done=true must list it.');
    assert.equal(findTodo(await listTodos(app, '?done=false'), id), undefined);
  },

  async 'deletes a todo with 204, after which it answers 404'(app) {
    const { id } = await createTodo(app, 'Delete me');
    const deleted = await ask(app, `/todos/${id}`, { method: 'DELETE' });
    assert.deepEqual([deleted.status, await deleted.text()], [204, '']);
    for (const method of ['GET', 'DELETE']) {
      const gone = await ask(app, `/todos/${id}`, { method });
      assert.deepEqual([gone.status, await gone.json()], [404, { error: `Unknown todo: ${id}.` }]);
    }
    assert.equal(findTodo(await listTodos(app), id), undefined);
  },

  async 'answers 405 with Allow to a method without a handler'(app) {
    const list = await ask(app, '/todos', { method: 'PUT' });
    assert.deepEqual([list.status, list.headers.get('allow')], [405, 'GET, POST']);
    const one = await ask(app, '/todos/read', { method: 'POST' });
    assert.deepEqual([one.status, one.headers.get('allow')], [405, 'GET, PATCH, DELETE']);
  },

  async 'answers 415 to what is not JSON'(app) {
    const response = await ask(app, '/todos', { method: 'POST', body: new URLSearchParams({ title: 'A form' }) });
    assert.deepEqual([response.status, await response.json()], [415, { error: 'Send application/json.' }]);
  },

  async 'answers 400 to JSON that is malformed or not an object'(app) {
    for (const body of ['{"title":', '[]', 'null', '']) {
      const headers = { 'content-type': 'application/json' };
      const response = await ask(app, '/todos', { method: 'POST', headers, body });
      assert.deepEqual([response.status, await response.json()], [400, { error: 'The body is not a JSON object.' }]);
    }
  },

  async 'answers 422 and says which fields are wrong'(app) {
    const wrong = await sendJson(app, 'POST', '/todos', { title: '', done: 1, colour: 'red' });
    const fields = {
      title: 'Must be text of 1 to 200 characters.',
      done: 'Must be true or false.',
      colour: 'This field does not exist.',
    };
    assert.deepEqual([wrong.status, await wrong.json()], [422, { error: 'The todo is not valid.', fields }]);
    const missing = await sendJson(app, 'POST', '/todos', {});
    assert.deepEqual(
      [missing.status, await missing.json()],
      [422, { error: 'The todo is not valid.', fields: { title: 'Is missing.' } }],
    );
  },

  async 'writes the audit log after a todo was created (deferTask)'(app) {
    await createTodo(app, 'Audit me');
    await waitForAudit(app, /Created the todo Audit me/);
  },
};

async function createTodo(app: App, title: string): Promise<Todo> {
  return (await (await sendJson(app, 'POST', '/todos', { title })).json()) as Todo; // the first check validates it
}

async function listTodos(app: App, query = ''): Promise<Todo[]> {
  return (await (await ask(app, `/todos${query}`)).json()) as Todo[]; // a value of another type is not found in it
}

function findTodo(todos: Todo[], id: string): Todo | undefined {
  return todos.find((todo) => todo.id === id);
}
