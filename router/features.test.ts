import { describe } from 'vitest';
import { describeInEachMode } from './fixtures/each-mode.ts';
import { navigationFiles, testNavigation } from './fixtures/navigation-tests.ts';
import { pageActionFiles, testPageActions } from './fixtures/page-action-tests.ts';
import { pageDataFiles, testPageData } from './fixtures/page-data-tests.ts';
import { pagePackageFiles, testPagePackages } from './fixtures/page-package-tests.ts';

const files = { ...pageDataFiles, ...pageActionFiles, ...pagePackageFiles, ...navigationFiles };

describeInEachMode({ files }, (tested) => {
  describe('data', () => testPageData(tested));
  describe('forms', () => testPageActions(tested));
  describe('navigation', () => testNavigation(tested));
  // Last: in development, Vite loads every open page again once it has found a package.
  describe('packages', () => testPagePackages(tested));
});
