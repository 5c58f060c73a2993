import assert from 'node:assert/strict';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { SignInApp } from './app.ts';
import { type SealedSession, unseal } from './session-cookie.ts';

/** A user with a browser of their own, on the page of the example. */
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

/** A button of the page. */
export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** Clicks a button that opens a popup, and gives that. */
export async function clickForPopup({ context, page }: Visit, name: string): Promise<Page> {
  const [popup] = await Promise.all([context.waitForEvent('page'), button(page, name).click()]);
  await popup.waitForLoadState();
  return popup;
}

/** Signs in as a user of the local provider, and waits until the page says so. */
export async function signIn(visit: Visit, user = 'Ada Lovelace'): Promise<void> {
  const popup = await clickForPopup(visit, 'Sign in');
  // The last page of the popup closes itself.
  await popup.getByRole('button', { name: user }).click({ noWaitAfter: true });
  await visit.page.getByRole('heading', { name: user }).waitFor();
}

/** Signs out, at the provider too, and waits until the page says so. */
export async function signOut(visit: Visit): Promise<void> {
  const popup = await clickForPopup(visit, 'Sign out');
  await button(popup, 'Sign out').click({ noWaitAfter: true });
  await popup.waitForEvent('close');
  await button(visit.page, 'Sign in').and(visit.page.locator(':enabled')).waitFor();
}

/** Clicks Refresh and waits until the page says that it was done. */
export async function refresh(page: Page): Promise<void> {
  await button(page, 'Refresh').click();
  await page.getByText('The server has a new access token.').waitFor();
}

/** Waits until the page says this. */
export async function says(page: Page, role: 'alert' | 'status', text: string): Promise<void> {
  await page.getByRole(role).filter({ hasText: text }).waitFor();
}

/** The session cookie of the browser, if it has one. It must be the only cookie of the app. */
export async function sessionCookie({ context }: Visit, { origin }: SignInApp): Promise<string | undefined> {
  const cookies = await context.cookies(origin);
  assert.ok(cookies.length <= 1 && (cookies[0]?.name ?? 'session') === 'session', JSON.stringify(cookies));
  return cookies[0]?.value;
}

/** What is in the session cookie of the browser, and the cookie itself. */
export async function sessionOf(visit: Visit, app: SignInApp): Promise<SealedSession & { cookie: string }> {
  const cookie = await sessionCookie(visit, app);
  assert.ok(cookie !== undefined, 'The browser must have a session cookie.');
  return { ...unseal(app, cookie), cookie };
}
