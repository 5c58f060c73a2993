import type { Section } from './markdown.ts';
import type { Part, Table } from './tables.ts';

/** What was shown where, behaviour by behaviour. */
export interface Matrix {
  groups: BehaviourGroup[];
  gaps: Gap[];
}

/** Behaviours of one kind. */
export interface BehaviourGroup extends Section {
  /** The hosts or peers that were tested for these behaviours. */
  columns: string[];
  behaviours: Behaviour[];
}

/** A row of the matrix. */
export interface Behaviour {
  name: string;
  source?: string;
  /** By column: the number of a gap, or otherwise a sign such as `✓`, or nothing. */
  cells: (string | number)[];
}

/** The sign of a gap's cell, and the reason. Several cells share it. */
export interface Gap {
  sign: string;
  html: string;
}

/** Whether a table is part of a matrix. */
export function isMatrix(table: Table | undefined): table is Table {
  return table?.header[0] === 'Behaviour' && table.header[1] === 'Source';
}

/**
 * Reads the matrix of a page of docs/.
 *
 * @param toBehaviour – creates a row from the cells of a table line; `numberOf` numbers a gap.
 */
export function toMatrix(
  parts: readonly Part[],
  toBehaviour: (line: Line, numberOf: (gap: Gap) => number) => Behaviour,
): Matrix {
  const numbers = new Map<string, number>();
  const gaps: Gap[] = [];
  const numberOf = (gap: Gap): number => {
    const key = gap.sign + gap.html;
    const number = numbers.get(key) ?? gaps.push(gap) - 1;
    numbers.set(key, number);
    return number;
  };
  const groups = parts.flatMap(({ title, tables: [table] }): BehaviourGroup[] => {
    if (!isMatrix(table)) return [];
    const [, , ...columns] = table.header;
    const behaviours = table.rows.map(([name = '', source = '', ...results]) =>
      toBehaviour({ name, source, columns, results }, numberOf),
    );
    return [{ id: title, title, columns, behaviours }];
  });
  return { groups, gaps };
}

/** A line of a table of behaviours, as in the Markdown. */
export interface Line {
  name: string;
  source: string;
  columns: string[];
  results: string[];
}
