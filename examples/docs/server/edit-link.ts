import { REPOSITORY } from './settings.ts';

/** Where a file of the repository can be edited, if the repository can be browsed. */
export function toEditLink(file: string): string | undefined {
  // Repository hosts show a file below /blob/ and edit it below /edit/.
  return REPOSITORY && `${REPOSITORY.replace('/blob/', '/edit/')}/${file}`;
}
