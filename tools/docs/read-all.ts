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

const readings = new WeakMap<ServedDocs, Map<Reader, Promise<Findings>>>();

/**
 * Opens every page of the site once for all checks of one reader: opening them takes longer than most of the checks.
 */
export function readAll(docs: ServedDocs, reader: Reader): Promise<Findings> {
  const ofSite = readings.get(docs) ?? new Map<Reader, Promise<Findings>>();
  readings.set(docs, ofSite);
  const reading = ofSite.get(reader) ?? read(docs, reader);
  ofSite.set(reader, reading);
  return reading;
}

async function read({ browser, origin, pathnames }: ServedDocs, { viewport, inspectedIn }: Reader): Promise<Findings> {
  const findings: Findings = {};
  await visit(
    browser,
    async ({ page, problems }) => {
      for (const pathname of pathnames) {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(origin + pathname);
        await settled(page);
        await note(findings, 'unsteady', async () => {
          await assertSteady(page);
          assert.deepEqual(problems, [], pathname);
        });
        await page.emulateMedia({ colorScheme: inspectedIn });
        await note(findings, 'inaccessible', () => assertAccessible(page));
      }
    },
    { viewport },
  );
  return findings;
}

/** Keeps the first error of its kind. */
async function note(findings: Findings, kind: keyof Findings, look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    findings[kind] ??= error as Error; // an assertion of ours, or what Playwright throws
  }
}
