import { memo } from 'react';
import type { Gap } from '../server/matrix.ts';
import { useOpenReasons } from './open-reasons.ts';
import { Prose } from './prose.tsx';

/**
 * Explains why there are gaps. The button of a cell opens its reason: by a click or a tap without JavaScript, by hover
 * and focus with it.
 */
export const Reasons = memo(function Reasons({ gaps }: { gaps: readonly Gap[] }) {
  useOpenReasons();
  return gaps.map(({ html }, number) => (
    <div key={number} id={toReasonId(number)} className="reason" popover="auto">
      <Prose html={html} />
    </div>
  ));
});

/** The id of the element with the reason for a gap. */
export function toReasonId(number: number): string {
  return `why-${number}`;
}
