import { isPlaceholder } from './repository.ts';

/**
 * Throws when the packages would name a placeholder as their repository: npm then could not show where they were built.
 */
export function assertPublishable(url: string): void {
  if (!isPlaceholder(url)) return;
  throw new Error(
    `package.json: the repository ${url} is a placeholder. ` +
      'Set "repository" to the public one and run node tools/write-source.ts, then publish.',
  );
}
