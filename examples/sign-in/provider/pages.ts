import { users } from './users.ts';

/** The page that asks who is signing in. */
export function signInPage({ clientId, scopes }: { clientId: string; scopes: string[] }): string {
  const buttons = users.map(
    ({ id, name, email }) => `<button name="user" value="${id}"><b>${name}</b><span>${email}</span></button>`,
  );
  return page(
    'Sign in',
    `<p>as a test user, to <b>${escape(clientId)}</b>, which asks for ${scopes.map((scope) => `<code>${escape(scope)}</code>`).join(' ')}.</p>
    <form method="post">${buttons.join('')}<button class="quiet">Cancel</button></form>`,
  );
}

/**
 * The page that asks whether to sign out.
 *
 * @param form – an empty form from oidc-provider, which the buttons belong to.
 */
export function signOutPage(form: string): string {
  return page(
    'Sign out',
    `<p>of this provider as well? Otherwise it remembers you.</p>${form}
    <button form="op.logoutForm" name="logout" value="yes"><b>Sign out</b></button>
    <button form="op.logoutForm" class="quiet">Stay signed in</button>`,
  );
}

/** A page with a message. */
export function messagePage(title: string, message: string): string {
  return page(escape(title), `<p>${escape(message)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} – local provider</title>
    <link rel="icon" href="data:," />
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
      body { max-width: 24rem; margin: 3rem auto; padding: 0 1.25rem }
      small { color: GrayText }
      h1 { margin: 0; font-size: 1.75rem }
      button { display: block; width: 100%; margin-top: .75rem; padding: .75rem 1rem; border: 1px solid #8888;
        border-radius: .75rem; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer }
      button:hover { border-color: currentColor }
      button span { display: block; color: GrayText }
      button.quiet { border: none; text-align: center }
    </style>
  </head>
  <body>
    <small>Local provider, for development</small>
    <h1>${title}</h1>
    ${body}
  </body>
</html>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
