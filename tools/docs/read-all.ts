import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { assertAccessible } from './axe.ts';
import { assertSteady, settled, visit } from './visit.ts';

/** The site as it is served. */
export interface ServedDocs {
  origin: string;
  /** The paths of all pages. */
  pathnames: string[];
  browser: Browser;
}

/** The environment in which the site is read. */
export interface Reader {
  viewport: { width: number; height: number };
  /** The colours in which axe inspects the pages. */
  inspectedIn: 'light' | 'dark';
}

/** The first error of each kind. */
export interface Findings {
  /** A page does not become interactive without a problem, or something on it moves. */
  unsteady?: Error;
  /** Axe finds something serious. */
  inaccessible?: Error;
}

const readings = new WeakMap<ServedDocs, Promise<Map<Reader, Findings>>>();

/**
 * Opens every page of the site for all readers, once for all checks: opening them takes longer than most of the checks.
 */
export function readAll(docs: ServedDocs, readers: readonly Reader[]): Promise<Map<Reader, Findings>> {
  const reading = readings.get(docs) ?? read(docs, readers);
  readings.set(docs, reading);
  return reading;
}

async function read(
  { browser, origin, pathnames }: ServedDocs,
  readers: readonly Reader[],
): Promise<Map<Reader, Findings>> {
  const found = new Map(readers.map((reader) => [reader, {} as Findings]));
  await visit(browser, async ({ page, problems }) => {
    for (const pathname of pathnames) {
      for (const [{ viewport }, findings] of found) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(origin + pathname);
        await settled(page);
        await note(findings, 'unsteady', async () => {
          await assertSteady(page);
          assert.deepEqual(problems, [], pathname);
        });
      }
      // In one document, since most of what axe does first takes time only once.
      for (const [{ viewport, inspectedIn }, findings] of found) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme: inspectedIn });
        await note(findings, 'inaccessible', () => assertAccessible(page));
      }
    }
  });
  return found;
}

/** Keeps the first error of its kind. */
async function note(findings: Findings, kind: keyof Findings, look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    findings[kind] ??= error as Error; // an assertion of ours, or what Playwright throws
  }
}
