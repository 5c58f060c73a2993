const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The numbers of a field, and their names if the field has some. */
interface Field {
  least: number;
  most: number;
  names?: readonly string[];
}

const DAY_OF_WEEK: Field = { least: 0, most: 6, names: DAYS };

/**
 * Converts the five fields of crontab to the six of EventBridge Scheduler: with a year, with days of the week by their
 * names, since AWS counts them from 1, and with `?` for the day that does not matter. Steps are written out: AWS allows
 * them only after one number.
 *
 * @param cron – five fields, with one space between them.
 * @returns `undefined` if both days are restricted, since AWS accepts only one, and for an invalid cron.
 */
export function toAwsCron(cron: string): string | undefined {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.split(' ');
  // If both are restricted, one match is enough, even if one of them lists all days.
  if (day !== '*' && weekday !== '*') return undefined;
  const weekdays = write(weekday, DAY_OF_WEEK);
  const dayFields = weekdays === '*' ? [write(day, { least: 1, most: 31 }), '?'] : ['?', weekdays];
  const months = write(month, { least: 1, most: 12, names: MONTHS });
  const times = [write(minute, { least: 0, most: 59 }), write(hour, { least: 0, most: 23 })];
  const fields = [...times, dayFields[0], months, dayFields[1]];
  return fields.includes(undefined) ? undefined : `cron(${fields.join(' ')} *)`;
}

function write(text: string, field: Field): string | undefined {
  const { least, most } = field;
  const parts = text.split(',').map((part) => read(part, field));
  if (parts.some((part) => part.length === 0)) return undefined;
  const numbers = new Set(parts.flat());
  if (numbers.size === most - least + 1) return '*';
  const shown = (number: number): string => (field === DAY_OF_WEEK ? (DAYS[number] ?? '') : String(number));
  return toRanges([...numbers].toSorted((one, other) => one - other))
    .map(([first, last]) => (first === last ? shown(first) : `${shown(first)}-${shown(last)}`))
    .join(',');
}

/** One part of a list: `*`, a number or a range, each optionally with a step. Returns undefined for anything else. */
function read(part: string, { least, most, names = [] }: Field): number[] {
  const [, range = '', until, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(part) ?? [];
  const numberOf = (text: string): number => {
    const named = names.indexOf(text.toUpperCase());
    return named === -1 ? Number(text) : named + least;
  };
  const first = range === '*' ? least : numberOf(range);
  // A number with a step extends to the end of the range.
  const isOpen = range === '*' || step !== undefined;
  const isLastSunday = names === DAYS && until?.toUpperCase() === 'SUN';
  const last = until === undefined ? (isOpen ? most : first) : isLastSunday ? 7 : numberOf(until);
  const every = Number(step ?? 1);
  const numbers: number[] = [];
  if (range === '' || every === 0 || first < least || last > (names === DAYS ? 7 : most)) return numbers;
  for (let number = first; number <= last; number += every) numbers.push(number);
  // Sunday is 0, and 7.
  return names === DAYS ? numbers.map((number) => number % 7) : numbers;
}

/** Joins three or more consecutive numbers. */
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
