import { describe } from 'vitest';
import { describeInEachMode } from './fixtures/each-mode.ts';
import { navigationFiles, testNavigation } from './fixtures/navigation-tests.ts';
import { pageActionFiles, testPageActions } from './fixtures/page-action-tests.ts';
import { pageDataFiles, testPageData } from './fixtures/page-data-tests.ts';

describeInEachMode({ files: { ...pageDataFiles, ...pageActionFiles, ...navigationFiles } }, (tested) => {
  describe('data', () => testPageData(tested));
  describe('forms', () => testPageActions(tested));
  describe('navigation', () => testNavigation(tested));
});
