const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** A field of a cron: its numbers and their names. */
interface Field {
  least: number;
  most: number;
  /** The names of the numbers, starting with `least`. */
  names?: readonly string[];
}

const FIELDS: readonly Field[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: MONTHS },
];
/** As in crontab(5): both 0 and 7 are Sunday. */
const DAY_OF_CRONTAB: Field = { least: 0, most: 7, names: DAYS };
const DAY_OF_CLOUDFLARE: Field = { least: 1, most: 7, names: DAYS };

/** Converts a job's cron to Cloudflare's form. There, 1 is Sunday, but names mean the same everywhere. */
export function toCloudflareCron(cron: string): string {
  const fields = cron.split(' ');
  const day = fields[4] ?? '*';
  if (!/\d|-sun/i.test(day)) return cron;
  const named = [...new Set(expand(day, DAY_OF_CRONTAB)?.map((number) => number % 7))]
    .toSorted()
    .map((number) => DAYS[number]);
  // Listing all seven days is not the same as *: with a restricted day of the month, it is enough if one of the two
  // matches.
  return [...fields.slice(0, 4), named.length > 0 ? named.join(',') : day].join(' ');
}

/**
 * The times of a job's cron, as a text that is equal for equal times. `undefined` for a cron that Cloudflare does not
 * support.
 */
export function timesOfJob(cron: string): string | undefined {
  return toTimes(cron, DAY_OF_CRONTAB, (day) => day % 7);
}

/** The times of a Cloudflare cron, comparable to {@link timesOfJob}. */
export function timesOfTrigger(cron: string): string | undefined {
  return toTimes(cron, DAY_OF_CLOUDFLARE, (day) => day - 1);
}

function toTimes(cron: string, dayOfWeek: Field, toDay: (number: number) => number): string | undefined {
  const texts = cron.trim().split(/\s+/);
  const fields = [...FIELDS, dayOfWeek];
  if (texts.length !== fields.length) return undefined;
  const times: string[] = [];
  for (const [index, field] of fields.entries()) {
    const text = texts[index] ?? '';
    const numbers = expand(text, field);
    if (!numbers) return undefined;
    const meant = field === dayOfWeek ? numbers.map(toDay) : numbers;
    // If both days are restricted, one match is enough, so * differs from a list of all days.
    times.push(text === '*' ? text : [...new Set(meant)].toSorted((a, b) => a - b).join(','));
  }
  return times.join(' ');
}

/** The numbers of a field. `undefined` unless it consists of numbers, names, ranges, lists and steps. */
function expand(text: string, field: Field): number[] | undefined {
  const numbers: number[] = [];
  for (const part of text.split(',')) {
    const [, from = '', to, step = '1'] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(part) ?? [];
    const first = from === '*' ? field.least : toNumber(from, field);
    // A step after a single number extends to the end of the range.
    const isOpen = from === '*' || (to === undefined && part.includes('/'));
    const last =
      to === undefined ? (isOpen ? endOf(field) : first) : toNumber(isLastSunday(to, field) ? '7' : to, field);
    if (first === undefined || last === undefined || first > last || Number(step) === 0) return undefined;
    for (let number = first; number <= last; number += Number(step)) numbers.push(number);
  }
  return numbers;
}

/** In crontab, a range may end with Sunday. */
function isLastSunday(to: string, field: Field): boolean {
  return field === DAY_OF_CRONTAB && to.toUpperCase() === 'SUN';
}

/** The last day of crontab is Sunday again, so it is left out. */
function endOf({ least, most, names }: Field): number {
  return names ? least + names.length - 1 : most;
}

function toNumber(text: string, { least, most, names = [] }: Field): number | undefined {
  const named = names.indexOf(text.toUpperCase());
  const number = named === -1 ? (/^\d+$/.test(text) ? Number(text) : Number.NaN) : least + named;
  return number >= least && number <= most ? number : undefined;
}
