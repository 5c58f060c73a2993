import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { assertAccessible } from './axe.ts';
import type { ServedDocs } from './read-all.ts';
import { settled, visit } from './visit.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** What a reader does with the tables of behaviours. */
export const matrixChecks: Record<string, (docs: ServedDocs) => Promise<void>> = {
  'behaviours are filtered by host and by words, and the URL says so': ({ browser, origin }) =>
    visit(browser, async ({ page, problems, documents }) => {
      await page.goto(`${origin}/hosts`);
      await settled(page);
      const all = await rows(page).count();
      assert.equal(await status(page), `${all} of ${all} behaviours`);
      await page.getByLabel('Host', { exact: true }).selectOption('cloudflare');
      await untilColumns(page, ['cloudflare']);
      await page.getByLabel('Behaviour', { exact: true }).fill('comma COOKIES');
      await untilRows(page, (count) => count > 0 && count < 50);
      const found = await rows(page).count();
      assert.equal(await status(page), `${found} of ${all} behaviours`);
      for (const name of await rows(page).locator('th').allTextContents()) assert.match(name, /comma/);
      assert.equal(new URL(page.url()).search, '?host=cloudflare&q=comma+COOKIES');
      await page.getByLabel('Behaviour', { exact: true }).fill('qqqzzz');
      await untilRows(page, (count) => count === 0);
      assert.equal(await status(page), `0 of ${all} behaviours`);
      await assertAccessible(page);
      await page.getByRole('button', { name: 'Show all' }).click();
      await untilRows(page, (count) => count === all);
      assert.equal(new URL(page.url()).search, '');
      assert.deepEqual({ documents, problems }, { documents: ['/hosts'], problems: [] });
    }),

  'a link leads to the gaps of one host, as many as in the summary': ({ browser, origin }) =>
    visit(browser, async ({ page }) => {
      await page.goto(`${origin}/hosts?host=cloudflare&gaps=only`);
      await settled(page);
      await untilColumns(page, ['cloudflare']);
      const summary = page.locator('.hosts tr', {
        has: page.getByRole('rowheader', { name: 'cloudflare', exact: true }),
      });
      const gaps = Number(await summary.locator('td').nth(2).textContent());
      assert.ok(gaps > 0);
      await untilRows(page, (count) => count === gaps);
      assert.equal(await rows(page).locator('td').filter({ hasNotText: 'gap' }).count(), 0);
      assert.equal(await page.getByLabel('Host', { exact: true }).inputValue(), 'cloudflare');
      assert.equal(await page.getByLabel('Only gaps').isChecked(), true);
      // A fragment of the page is another entry of the history, with the same filter.
      await page.getByRole('navigation', { name: 'Kinds of behaviour' }).getByRole('link').last().click();
      await page.waitForURL(/\?host=cloudflare&gaps=only#/);
      await page.waitForFunction("document.querySelector(':target').getBoundingClientRect().top < innerHeight");
      assert.equal(await rows(page).count(), gaps);
    }),

  'behaviours are filtered by peer': ({ browser, origin }) =>
    visit(browser, async ({ page }) => {
      await page.goto(`${origin}/peers`);
      await settled(page);
      const all = await rows(page).count();
      await page.getByLabel('Peer', { exact: true }).selectOption('srvx');
      await untilColumns(page, ['srvx']);
      assert.equal(await rows(page).count(), all);
      const summary = page.locator('.prose tr', { has: page.getByRole('cell', { name: 'srvx', exact: true }) });
      const [, , , standard, quality] = await summary.first().locator('td').allTextContents();
      await page.getByLabel('Only gaps').check();
      await untilRows(page, (count) => count === Number(standard) + Number(quality));
      assert.equal(new URL(page.url()).search, '?peer=srvx&gaps=only');
      for (const sign of await rows(page).locator('td').allTextContents()) assert.match(sign, /^[✗○]$/);
      assert.equal(await status(page), `${await rows(page).count()} of ${all} behaviours`);
      await page.reload();
      await settled(page);
      await untilColumns(page, ['srvx']);
    }),

  'a gap shows its reason on keyboard focus, until Escape': ({ browser, origin }) =>
    visit(browser, async ({ page, problems }) => {
      await page.goto(`${origin}/hosts?host=deno&gaps=only`);
      await settled(page);
      await untilColumns(page, ['deno']);
      const gap = gaps(page).first();
      const why = await reasonOf(gap);
      // The table itself, which scrolls, comes before the button.
      await page
        .locator('.scroll', { has: page.locator('.matrix') })
        .first()
        .focus();
      await page.keyboard.press('Tab');
      await opened(page).waitFor();
      assert.equal(await opened(page).textContent(), why);
      assert.match(why, /\w{3}.* Source\n?$/);
      await assertAccessible(page);
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Source');
      await page.keyboard.press('Escape');
      await assertStaysClosed(page);
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'gap');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      await opened(page).waitFor();
      await page.keyboard.press('Shift+Tab');
      await opened(page).waitFor({ state: 'hidden' });
      assert.deepEqual(problems, []);
    }),

  'a gap shows its reason while the pointer is over the gap or the reason': ({ browser, origin }) =>
    visit(browser, async ({ page }) => {
      await page.goto(`${origin}/hosts?host=cloudflare&gaps=only`);
      await settled(page);
      await untilColumns(page, ['cloudflare']);
      const gap = gaps(page).first();
      await gap.hover();
      assert.equal(await opened(page).textContent(), await reasonOf(gap));
      await opened(page).getByRole('link').hover();
      // The pointer may pass over something else on its way.
      await page.evaluate(`for (const passed of ['body', '.reason:popover-open a'])
        document.querySelector(passed).dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }))`);
      await assertStays(opened(page));
      await page.getByRole('heading', { level: 3 }).first().hover();
      await opened(page).waitFor({ state: 'hidden' });
      // A click keeps it.
      await gap.click();
      await page.getByRole('heading', { level: 3 }).first().hover();
      await assertStays(opened(page));
    }),

  'a gap shows its reason next to it when tapped': ({ browser, origin }) =>
    visit(
      browser,
      async ({ page }) => {
        await page.goto(`${origin}/hosts?host=cloudflare&gaps=only&q=static-files-coded`);
        await settled(page);
        await untilColumns(page, ['cloudflare']);
        // All of these have the same reason.
        for (const gap of [gaps(page).first(), gaps(page).nth(2)]) {
          await gap.tap();
          assert.equal(await opened(page).textContent(), await reasonOf(gap));
          const [button, reason] = [await gap.boundingBox(), await opened(page).boundingBox()];
          assert.ok(button && reason);
          const below = reason.y - (button.y + button.height);
          const above = button.y - (reason.y + reason.height);
          assert.ok(Math.min(Math.abs(below), Math.abs(above)) < 8, JSON.stringify({ button, reason }));
          assert.ok(reason.x >= 0 && reason.x + reason.width <= 390, JSON.stringify(reason));
          // Elements below it can be tapped again.
          await page.getByRole('heading', { level: 3 }).first().tap();
          await opened(page).waitFor({ state: 'hidden' });
        }
      },
      PHONE,
    ),

  'without JavaScript the table is complete, and a gap shows its reason': ({ browser, origin }) =>
    visit(
      browser,
      async ({ page }) => {
        await page.goto(`${origin}/hosts?host=deno`);
        assert.ok((await rows(page).count()) > 700);
        assert.equal(await page.locator('.filter').isVisible(), false);
        const gap = gaps(page).first();
        await gap.click();
        await opened(page).waitFor();
        assert.equal(await opened(page).textContent(), await reasonOf(gap));
      },
      { javaScriptEnabled: false },
    ),
};

function rows(page: Page): Locator {
  return page.locator('.matrix tbody tr');
}

function gaps(page: Page): Locator {
  return page.locator('.matrix td button');
}

function opened(page: Page): Locator {
  return page.locator('.reason:popover-open');
}

async function reasonOf(gap: Locator): Promise<string> {
  const id = await gap.getAttribute('aria-describedby');
  return (await gap.page().locator(`#${id}`).textContent()) ?? '';
}

async function status(page: Page): Promise<string | null> {
  return page.getByRole('search').getByRole('status').textContent();
}

/** Waits until each table has exactly these columns. */
async function untilColumns(page: Page, columns: readonly string[]): Promise<void> {
  const wanted = JSON.stringify(['Behaviour', ...columns]);
  await page.waitForFunction(
    `[...document.querySelectorAll('.matrix thead')].every((head) =>
      JSON.stringify([...head.querySelectorAll('th')].map((cell) => cell.textContent)) === ${JSON.stringify(wanted)})`,
  );
}

/** Waits for a number of rows: the tables are rendered after the controls have changed. */
async function untilRows(page: Page, isRight: (count: number) => boolean): Promise<void> {
  const ends = Date.now() + 60_000;
  while (!isRight(await rows(page).count())) {
    assert.ok(Date.now() < ends, `There are ${await rows(page).count()} rows at ${page.url()}.`);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}

/** Asserts that no reason is open, and that none is opened again when the focus returns. */
async function assertStaysClosed(page: Page): Promise<void> {
  await opened(page).waitFor({ state: 'hidden' });
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  assert.equal(await opened(page).count(), 0);
}

/** Asserts that an element is still open after the time in which one without the pointer would close. */
async function assertStays(element: Locator): Promise<void> {
  await element.page().waitForTimeout(400);
  assert.equal(await element.count(), 1);
}
