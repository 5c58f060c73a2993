import type { Behaviour, BehaviourGroup } from '../server/matrix.ts';
import type { Filter } from './filter.ts';

/** The groups that match a filter, each with its matching behaviours. */
export function findBehaviours(groups: readonly BehaviourGroup[], filter: Filter): BehaviourGroup[] {
  const words = filter.words.toLowerCase().split(/\s+/);
  return groups.flatMap((group) => {
    const at = group.columns.indexOf(filter.column);
    if (filter.column !== '' && at === -1) return [];
    const behaviours = group.behaviours.filter(
      (behaviour) => hasWords(behaviour, group.title, words) && isAsked(behaviour, at, filter.onlyGaps),
    );
    return behaviours.length === 0 ? [] : [{ ...group, behaviours }];
  });
}

/** The number of behaviours in all groups. */
export function countBehaviours(groups: readonly BehaviourGroup[]): number {
  return groups.reduce((sum, { behaviours }) => sum + behaviours.length, 0);
}

function hasWords({ name, source = '' }: Behaviour, kind: string, words: readonly string[]): boolean {
  const text = `${kind} ${name} ${source}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * Whether a behaviour was tested for the column at an index, or for any column with -1, and, if required, is a gap
 * there.
 */
function isAsked({ cells }: Behaviour, at: number, onlyGaps: boolean): boolean {
  const chosen = at === -1 ? cells : cells.slice(at, at + 1);
  return chosen.some((cell) => (onlyGaps ? typeof cell === 'number' : cell !== ''));
}
