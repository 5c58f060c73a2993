import { useId } from 'react';
import { isActive } from './filter.ts';
import type { Filter } from './filter.ts';

interface MatrixFilterProps {
  /** The meaning of the columns, such as `Host`. */
  label: string;
  columns: readonly string[];
  filter: Filter;
  change: (filter: Partial<Filter>) => void;
  /** How many behaviours are shown. */
  shown: string;
}

/** The controls that choose what a matrix shows. They need JavaScript; without it, the matrix is complete. */
export function MatrixFilter({ label, columns, filter, change, shown }: MatrixFilterProps) {
  const id = useId();
  return (
    <search className="filter">
      <div>
        <label htmlFor={`${id}words`}>Behaviour</label>
        <input
          id={`${id}words`}
          type="search"
          autoComplete="off"
          placeholder="Words, such as cookie"
          value={filter.words}
          onChange={({ target }) => change({ words: target.value })}
        />
      </div>
      <div>
        <label htmlFor={`${id}column`}>{label}</label>
        <select id={`${id}column`} value={filter.column} onChange={({ target }) => change({ column: target.value })}>
          <option value="">All</option>
          {columns.map((column) => (
            <option key={column}>{column}</option>
          ))}
        </select>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={filter.onlyGaps}
          onChange={({ target }) => change({ onlyGaps: target.checked })}
        />
        Only gaps
      </label>
      <p>
        <span role="status">{shown}</span>
        {isActive(filter) && (
          <button type="button" onClick={() => change({ words: '', column: '', onlyGaps: false })}>
            Show all
          </button>
        )}
      </p>
    </search>
  );
}
