import assert from 'node:assert/strict';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { SignInApp } from './app.ts';
import { unseal } from './session-cookie.ts';
import type { SealedSession } from './session-cookie.ts';

/** A user with a browser of their own, on the example's page. */
export interface Visit {
  context: BrowserContext;
  page: Page;
}

const LIMIT_MS = 60_000;

/** Opens the page in a new browser, runs the work, and closes it. */
export async function visit(
  { browser, origin }: Pick<SignInApp, 'browser' | 'origin'>,
  work: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext();
  context.setDefaultTimeout(LIMIT_MS);
  try {
    const page = await context.newPage();
    await page.goto(origin);
    await work({ context, page });
  } finally {
    await context.close();
  }
}

/** A button on the page. */
export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** Follows the link to the provider's page. */
export async function openProvider({ page }: Visit): Promise<void> {
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByText('Local provider').waitFor();
}

/** Signs in as a user of the local provider, and waits until the page shows it. */
export async function signIn(visit: Visit, user = 'Ada Lovelace'): Promise<void> {
  await openProvider(visit);
  await visit.page.getByRole('button', { name: user }).click();
  await visit.page.getByRole('heading', { name: user }).waitFor();
}

/** Signs out, at the provider too or only here, and waits until the page shows it. */
export async function signOut({ page }: Visit, choice: 'Sign out' | 'Stay signed in' = 'Sign out'): Promise<void> {
  await button(page, 'Sign out').click();
  await page.getByText('Local provider').waitFor();
  await button(page, choice).click();
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
}

/** Makes the server call the provider with the access token, and waits for the result. */
export async function askProvider(page: Page): Promise<void> {
  await button(page, 'Ask the provider').click();
  await says(page, 'status', 'The provider says: ');
}

/** Waits until the page shows this text. */
export async function says(page: Page, role: 'alert' | 'status', text: string): Promise<void> {
  await page.getByRole(role).filter({ hasText: text }).waitFor();
}

/** The browser's session cookie, if any. It must be the app's only cookie. */
export async function sessionCookie({ context }: Visit, { origin }: SignInApp): Promise<string | undefined> {
  const cookies = await context.cookies(origin);
  assert.ok(cookies.length <= 1 && (cookies[0]?.name ?? 'auth-session') === 'auth-session', JSON.stringify(cookies));
  return cookies[0]?.value;
}

/** The content of the browser's session cookie, and the cookie itself. */
export async function sessionOf(visit: Visit, app: SignInApp): Promise<SealedSession & { cookie: string }> {
  const cookie = await sessionCookie(visit, app);
  assert.ok(cookie !== undefined, 'The browser must have a session cookie.');
  return { ...unseal(app, cookie), cookie };
}
