import { attempt, call, element } from './page.js';

async function showSession() {
  const { user } = await call('GET', '/session');
  element('sign-in').hidden = user !== null;
  element('signed-in').hidden = user === null;
  element('user').textContent = user ?? '';
  const entries = user === null ? [] : await call('GET', '/admin/audit');
  element('audit').replaceChildren(...entries.map(auditItem));
}

function auditItem({ at, what }) {
  const time = Object.assign(document.createElement('time'), {
    dateTime: at,
    textContent: new Date(at).toLocaleTimeString(),
  });
  const item = document.createElement('li');
  item.append(time, what);
  return item;
}

element('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  const { user, password } = event.currentTarget.elements;
  attempt('session-message', async () => {
    await call('POST', '/session', { user: user.value, password: password.value });
    password.value = '';
    await showSession();
  });
});

element('refresh').addEventListener('click', () => attempt('session-message', showSession));
element('sign-out').addEventListener('click', () =>
  attempt('session-message', async () => {
    await call('DELETE', '/session');
    await showSession();
  }),
);

attempt('session-message', showSession);
