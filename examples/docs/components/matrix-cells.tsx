import type { Gap } from '../server/matrix.ts';
import { toReasonId } from './reasons.tsx';

/** The cells of a behaviour. Adjacent withheld cells are merged into one. */
export function MatrixCells({ cells, gaps }: { cells: readonly (string | number)[]; gaps: readonly Gap[] }) {
  return cells.map((cell, index) => {
    if (typeof cell === 'number') return <GapCell key={index} gap={gaps[cell]} number={cell} />;
    if (cell === '✓') return <td key={index}>✓</td>;
    if (cell !== 'withheld')
      return (
        <td key={index} className="none">
          {cell}
        </td>
      );
    if (cells[index - 1] === cell) return null;
    const next = cells.findIndex((other, at) => at > index && other !== cell);
    return (
      <td key={index} className="none" colSpan={(next === -1 ? cells.length : next) - index}>
        {cell}
      </td>
    );
  });
}

function GapCell({ gap, number }: { gap: Gap | undefined; number: number }) {
  const id = toReasonId(number);
  return (
    <td className="gap">
      <button type="button" popoverTarget={id} popoverTargetAction="show" aria-describedby={id}>
        {gap?.sign}
      </button>
    </td>
  );
}
