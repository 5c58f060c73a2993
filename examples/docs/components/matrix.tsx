import { memo, useDeferredValue, useMemo } from 'react';
import type { Gap, Matrix as MatrixData, BehaviourGroup } from '../server/matrix.ts';
import { useFilter } from './filter.ts';
import { countBehaviours, findBehaviours } from './find-behaviours.ts';
import { MatrixCells } from './matrix-cells.tsx';
import { MatrixFilter } from './matrix-filter.tsx';
import { Reasons } from './reasons.tsx';

/**
 * Behaviours and their results, with a filter.
 *
 * @param of – what the columns are: `host` or `peer`.
 */
export function Matrix({ of, matrix: { groups, gaps } }: { of: 'host' | 'peer'; matrix: MatrixData }) {
  const columns = useMemo(() => [...new Set(groups.flatMap(({ columns }) => columns))], [groups]);
  const [filter, change] = useFilter(of, columns);
  const found = useMemo(() => findBehaviours(groups, filter), [groups, filter]);
  // Typing goes on while the tables are rendered.
  const shown = useDeferredValue(found);
  const column = useDeferredValue(filter.column);
  return (
    <>
      <MatrixFilter
        label={of === 'host' ? 'Host' : 'Peer'}
        columns={columns}
        filter={filter}
        change={change}
        shown={`${countBehaviours(found)} of ${countBehaviours(groups)} behaviours`}
      />
      <Tables groups={shown} column={column} gaps={gaps} />
      <Reasons gaps={gaps} />
    </>
  );
}

interface TablesProps {
  groups: readonly BehaviourGroup[];
  column: string;
  gaps: readonly Gap[];
}

const Tables = memo(function Tables({ groups, column, gaps }: TablesProps) {
  return (
    <>
      <nav className="jump" aria-label="Kinds of behaviour">
        {groups.map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      {groups.map(({ id, title, columns, behaviours }) => (
        <section key={id}>
          <h3 id={id}>{title}</h3>
          <div className="scroll" tabIndex={0} role="group" aria-label={title}>
            <table className="matrix" data-single={column === '' ? undefined : ''}>
              <thead>
                <tr>
                  <th scope="col">Behaviour</th>
                  {(column === '' ? columns : [column]).map((name) => (
                    <th key={name} scope="col">
                      <span>{name}</span>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {behaviours.map(({ name, source, cells }) => (
                  <tr key={name}>
                    <th scope="row">
                      {name}
                      {source !== undefined && <small>{source}</small>}
                    </th>
                    <MatrixCells cells={column === '' ? cells : [cells[columns.indexOf(column)] ?? '']} gaps={gaps} />
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      ))}
    </>
  );
});
