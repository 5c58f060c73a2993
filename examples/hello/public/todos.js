import { attempt, call, element } from './page.js';

async function showTodos() {
  const todos = await call('GET', '/todos');
  element('todos').replaceChildren(...todos.map(todoItem));
}

function todoItem({ id, title, done }) {
  const change = (action) =>
    attempt('todos-message', async () => {
      await action();
      await showTodos();
    });

  const checkbox = Object.assign(document.createElement('input'), { type: 'checkbox', checked: done });
  checkbox.addEventListener('change', () => change(() => call('PATCH', `/todos/${id}`, { done: checkbox.checked })));
  const text = Object.assign(document.createElement('span'), { textContent: title });
  const label = document.createElement('label');
  label.append(checkbox, text);

  const remove = Object.assign(document.createElement('button'), {
    className: 'quiet',
    textContent: '×',
    ariaLabel: `Delete ${title}`,
  });
  remove.addEventListener('click', () => change(() => call('DELETE', `/todos/${id}`)));

  const item = document.createElement('li');
  item.append(label, remove);
  return item;
}

element('new-todo').addEventListener('submit', (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  attempt('todos-message', async () => {
    await call('POST', '/todos', { title: form.elements.title.value });
    form.reset();
    await showTodos();
  });
});

attempt('todos-message', showTodos);
