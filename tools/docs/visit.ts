import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A browser page, and what it reports. */
export interface Visit {
  page: Page;
  /** Warnings and errors of the console, and uncaught errors. */
  problems: string[];
  /** The paths of the documents that were loaded. */
  documents: string[];
}

/** Opens a page in a new browser, runs the work, and closes it. */
export async function visit(
  browser: Browser,
  work: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(60_000);
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    const documents: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
    });
    // It would hide the page forever, since nothing listens at that time.
    if (options.javaScriptEnabled !== false) await page.addInitScript(WATCH_SHIFTS);
    await work({ page, problems, documents });
  } finally {
    await context.close();
  }
}

// The layout shifts that the browser reports without user input, once the document has loaded: a table widens while its
// rows arrive, however the page is written. Invisible elements do not shift.
const WATCH_SHIFTS = `
const hidden = new CSSStyleSheet();
hidden.replaceSync(':root { visibility: hidden }');
document.adoptedStyleSheets = [hidden];
addEventListener('DOMContentLoaded', () => (document.adoptedStyleSheets = []));
globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) shifts.push(value + ' ' + sources.map(({ node }) => node?.nodeName).join());
}).observe({ type: 'layout-shift', buffered: true });
`;

/** Waits until React has taken over, and everything is rendered. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction("Object.keys(document.body).some((key) => key.startsWith('__react'))");
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}

/** Asserts that nothing moved by itself, and that the page is not wider than the window. */
export async function assertSteady(page: Page): Promise<void> {
  assert.deepEqual(await page.evaluate('shifts'), [], `Layout shifts at ${page.url()}`);
  const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  assert.ok(Number(beyond) <= 0, `${page.url()} is ${String(beyond)} pixels wider than the window.`);
}
