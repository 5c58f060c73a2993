import assert from 'node:assert/strict';
import { assertAccessible } from './axe.ts';
import { matrixChecks } from './matrix-checks.ts';
import { readAll } from './read-all.ts';
import type { Findings, Reader, ServedDocs } from './read-all.ts';
import { assertSteady, settled, visit } from './visit.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const ON_PHONE = { viewport: PHONE, inspectedIn: 'dark' } as const;
const ON_DESKTOP = { viewport: DESKTOP, inspectedIn: 'light' } as const;

/** What a reader does in a browser. */
export const browserChecks: Record<string, (docs: ServedDocs) => Promise<void>> = {
  'every page becomes interactive on a phone, and nothing moves': (docs) => assertNoError(docs, ON_PHONE, 'unsteady'),
  'every page becomes interactive on a desktop, and nothing moves': (docs) =>
    assertNoError(docs, ON_DESKTOP, 'unsteady'),

  'goes from page to page without loading a document': ({ browser, origin }) =>
    visit(
      browser,
      async ({ page, problems, documents }) => {
        await page.goto(origin);
        await settled(page);
        await page.getByRole('banner').getByRole('link', { name: 'Guide' }).click();
        await page.getByRole('heading', { level: 1, name: 'Guide' }).waitFor();
        await page.getByRole('main').getByRole('link', { name: 'Routes', exact: true }).click();
        await page.getByRole('heading', { level: 1, name: 'Routes' }).waitFor();
        await page.waitForFunction("document.title === 'Routes · appkit'");
        const current = page.getByRole('navigation', { name: 'Guide' }).locator('[aria-current=page]');
        assert.equal(await current.textContent(), 'Routes');
        await page.getByRole('link', { name: /^Next/ }).click();
        await page.getByRole('heading', { level: 1, name: 'Contracts' }).waitFor();
        await page.goBack();
        await page.getByRole('heading', { level: 1, name: 'Routes' }).waitFor();
        await page.getByRole('banner').getByRole('link', { name: 'API' }).click();
        await page.getByRole('main').getByRole('link', { name: 'appkit-crypto' }).click();
        await page.getByRole('heading', { name: 'randomUUID' }).waitFor();
        assert.deepEqual({ documents, problems }, { documents: ['/'], problems: [] });
        // On a slow machine, the page itself comes so long after the click that the browser no longer takes it for its effect.
        await settled(page);
        await page.evaluate('shifts.length = 0');
        await settled(page);
        await assertSteady(page);
      },
      { viewport: DESKTOP },
    ),

  'follows a link of the Markdown to a section of another page': ({ browser, origin }) =>
    visit(browser, async ({ page, problems, documents }) => {
      await page.goto(`${origin}/guide/middleware`);
      await settled(page);
      await page.locator('.prose a[href="/guide/export#redirects-and-rewrites"]').first().click();
      await page.waitForURL('**/guide/export#redirects-and-rewrites');
      const heading = page.locator('#redirects-and-rewrites');
      await heading.waitFor();
      await page.waitForFunction(
        "Math.abs(document.querySelector('#redirects-and-rewrites').getBoundingClientRect().top - 72) < 100",
      );
      assert.deepEqual({ documents, problems }, { documents: ['/guide/middleware'], problems: [] });
    }),

  'search finds trustProxy, and links to it': ({ browser, origin }) =>
    visit(browser, async ({ page, problems, documents }) => {
      await page.goto(origin);
      await settled(page);
      await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
      await page.getByRole('searchbox').fill('trustProxy');
      const results = page.getByRole('list', { name: 'Results' }).getByRole('link');
      await results.filter({ hasText: 'Hosting' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Hosting' }).waitFor();
      assert.deepEqual({ documents, problems }, { documents: ['/'], problems: [] });
    }),

  'search uses the words of a link, and says when nothing is found': ({ browser, origin }) =>
    visit(browser, async ({ page }) => {
      await page.goto(`${origin}/search?q=StatusError`);
      await page
        .getByRole('list', { name: 'Results' })
        .getByRole('link', { name: /StatusError/ })
        .first()
        .waitFor();
      await page.getByRole('searchbox').fill('qqqzzz');
      await page.getByRole('status').filter({ hasText: 'No results' }).waitFor();
    }),

  ...matrixChecks,

  'a phone has the menu above the article, behind a button': ({ browser, origin }) =>
    visit(
      browser,
      async ({ page }) => {
        await page.goto(`${origin}/guide/routes`);
        await settled(page);
        const menu = page.getByRole('navigation', { name: 'Guide' });
        const button = page.getByRole('button', { name: 'Guide' });
        assert.equal(await menu.isVisible(), false);
        assert.equal(await button.getAttribute('aria-expanded'), 'false');
        const heading = page.getByRole('heading', { level: 1, name: 'Routes' });
        assert.ok(((await button.boundingBox())?.y ?? Infinity) < ((await heading.boundingBox())?.y ?? 0));
        await button.click();
        await menu.waitFor();
        assert.equal(await button.getAttribute('aria-expanded'), 'true');
        await assertAccessible(page);
        await menu.getByRole('link', { name: 'Middleware' }).click();
        await page.getByRole('heading', { level: 1, name: 'Middleware' }).waitFor();
        await menu.waitFor({ state: 'hidden' });
      },
      { viewport: PHONE },
    ),

  'a button copies code exactly as shown': ({ browser, origin }) =>
    visit(
      browser,
      async ({ page }) => {
        await page.clock.install();
        await page.goto(`${origin}/guide/routes`);
        await settled(page);
        // The word is shown for two seconds, which do not pass.
        await page.clock.pauseAt(Date.now() + 3_600_000);
        const code = await page.locator('.code pre').first().textContent();
        await page.getByRole('button', { name: 'Copy' }).first().click();
        await page.getByRole('button', { name: 'Copied' }).waitFor();
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), code?.trimEnd());
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ),

  'axe would find an image without a text alternative': ({ browser, origin }) =>
    visit(browser, async ({ page }) => {
      await page.goto(origin);
      await settled(page);
      await page.evaluate("document.querySelector('.brand img').removeAttribute('alt')");
      await assert.rejects(assertAccessible(page), /image-alt/);
    }),
  'axe finds nothing serious on any page, light': (docs) => assertNoError(docs, ON_DESKTOP, 'inaccessible'),
  'axe finds nothing serious on any page, dark on a phone': (docs) => assertNoError(docs, ON_PHONE, 'inaccessible'),

  'lets a keyboard skip the navigation': ({ browser, origin }) =>
    visit(browser, async ({ page }) => {
      await page.goto(`${origin}/guide/routes`);
      await settled(page);
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
      await page.keyboard.press('Enter');
      await page.waitForFunction("document.querySelector(':target')?.tagName === 'MAIN'");
    }),

  'is light or dark like the system': ({ browser, origin }) =>
    visit(browser, async ({ page }) => {
      await page.goto(origin);
      const colours: unknown[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        colours.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
      }
      assert.deepEqual(colours, ['rgb(255, 255, 255)', 'rgb(16, 19, 24)']);
    }),

  'shows its own page for an unknown path': ({ browser, origin }) =>
    visit(browser, async ({ page, problems }) => {
      const response = await page.goto(`${origin}/guide/nowhere`);
      await settled(page);
      assert.equal(response?.status(), 404);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
      // The browser's own message about the status.
      assert.deepEqual(
        problems.filter((problem) => !problem.includes('404')),
        [],
      );
    }),
};

async function assertNoError(docs: ServedDocs, reader: Reader, kind: keyof Findings): Promise<void> {
  const found = await readAll(docs, [ON_PHONE, ON_DESKTOP]);
  const error = found.get(reader)?.[kind];
  if (error) throw error;
}

/** Takes the pictures of the README. */
export async function takeScreenshots({ browser, origin }: ServedDocs, folder: string): Promise<void> {
  const pictures = [
    { name: 'desktop', pathname: '/', viewport: DESKTOP },
    { name: 'phone', pathname: '/guide/routes', viewport: PHONE },
    { name: 'phone-menu', pathname: '/guide/routes', viewport: PHONE, click: 'Guide' },
    { name: 'search', pathname: '/search?q=trustProxy', viewport: DESKTOP },
  ];
  for (const { name, pathname, viewport, click } of pictures) {
    await visit(
      browser,
      async ({ page }) => {
        await page.goto(origin + pathname);
        await settled(page);
        if (click) await page.getByRole('button', { name: click }).click();
        await page.screenshot({ path: `${folder}/screenshot-${name}.png` });
      },
      { viewport, ...(viewport === PHONE && { colorScheme: 'dark', deviceScaleFactor: 2 }) },
    );
  }
}
