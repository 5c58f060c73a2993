const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The numbers of a field, and their names if it has some. */
interface Field {
  least: number;
  most: number;
  names?: readonly string[];
}

const DAY_OF_WEEK: Field = { least: 0, most: 6, names: DAYS };

/**
 * Writes the five fields of crontab as the six of EventBridge Scheduler: with a year, with days of the week by their names, since AWS counts them from
 * 1, and with `?` for the day that does not matter. Steps are written out: AWS has them only after one number.
 *
 * @param cron – as the export has checked it.
 * @returns `undefined` where both days are restricted: AWS takes one.
 */
export function toAwsCron(cron: string): string | undefined {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = cron.split(' ');
  const days = write(day, { least: 1, most: 31 });
  const weekdays = write(weekday, DAY_OF_WEEK);
  if (days !== '*' && weekdays !== '*') return undefined;
  const both = weekdays === '*' ? [days, '?'] : ['?', weekdays];
  const [dayField, weekdayField] = both;
  const months = write(month, { least: 1, most: 12, names: MONTHS });
  const times = [write(minute, { least: 0, most: 59 }), write(hour, { least: 0, most: 23 })];
  return `cron(${[...times, dayField, months, weekdayField, '*'].join(' ')})`;
}

function write(text: string, field: Field): string {
  const { least, most } = field;
  const numbers = new Set(text.split(',').flatMap((part) => read(part, field)));
  if (numbers.size === most - least + 1) return '*';
  const shown = (number: number): string => (field === DAY_OF_WEEK ? (DAYS[number] ?? '') : String(number));
  return toRanges([...numbers].toSorted((one, other) => one - other))
    .map(([first, last]) => (first === last ? shown(first) : `${shown(first)}-${shown(last)}`))
    .join(',');
}

/** One part of a list: `*`, a number, a range, each perhaps with a step. */
function read(part: string, { least, most, names = [] }: Field): number[] {
  const [range = '*', step] = part.split('/');
  const numberOf = (text: string): number => {
    const named = names.indexOf(text.toUpperCase());
    return named === -1 ? Number(text) : named + least;
  };
  const [from, to] = range === '*' ? [least, most] : range.split('-').map(numberOf);
  const first = from ?? least;
  // A number with a step goes on to the end.
  const last = to ?? (step === undefined ? first : most);
  const every = Number(step ?? 1);
  const numbers: number[] = [];
  for (let number = first; number <= last; number += every) numbers.push(number);
  // Sunday is 0, and 7.
  return names === DAYS ? numbers.map((number) => number % 7) : numbers;
}

/** Joins three and more that follow each other. */
function toRanges(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.flatMap(([first, last]): [number, number][] =>
    last - first === 1
      ? [
          [first, first],
          [last, last],
        ]
      : [[first, last]],
  );
}
