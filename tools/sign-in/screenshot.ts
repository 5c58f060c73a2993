import type { SignInApp } from './app.ts';
import { signIn } from './visit.ts';

/** Takes the picture of the README: the page, signed in. */
export async function takeScreenshot({ browser, origin }: SignInApp, file: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 640 } });
  const page = await context.newPage();
  await page.goto(origin);
  await signIn({ context, page });
  await page.screenshot({ path: file });
  await context.close();
}
