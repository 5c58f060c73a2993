import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { SignInApp } from './app.ts';
import { says, signIn } from './visit.ts';

const WIDTHS = { '': { width: 1200, height: 640 }, '-phone': { width: 390, height: 844 } };

/**
 * Takes the pictures for the README, at the sizes of a desktop and a phone: signed out, signed in, and without a
 * provider.
 */
export async function takeScreenshots(app: SignInApp, withoutProvider: string, folder: string): Promise<void> {
  const { browser } = app;
  for (const [suffix, viewport] of Object.entries(WIDTHS)) {
    const take = (origin: string, names: [string, (page: Page) => Promise<void>][]): Promise<void> =>
      shoot({ browser, origin, viewport }, async (page) => {
        for (const [name, act] of names) {
          await act(page);
          await page.screenshot({ path: path.join(folder, `screenshot${name}${suffix}.png`) });
        }
      });
    await take(app.origin, [
      ['-signed-out', (page) => page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()],
      ['', (page) => signIn({ context: page.context(), page })],
    ]);
    await take(withoutProvider, [['-provider-down', showProviderDown]]);
  }
}

/** Tries to sign in while the provider is down, and waits for the page's message. */
export async function showProviderDown(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await says(page, 'alert', 'The provider cannot be reached. Try again later.');
  await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
}

async function shoot(
  { browser, origin, viewport }: { browser: Browser; origin: string; viewport: { width: number; height: number } },
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await page.goto(origin);
  await work(page);
  await context.close();
}
