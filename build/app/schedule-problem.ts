import type { ESTree } from 'rolldown/utils';

import { findProperty } from './literals.ts';

/** What is wrong with a job's schedule, and where. */
export interface ScheduleProblem {
  message: string;
  fix: string;
  /** Its position in the source. */
  start: number;
}

/** A field of a cron expression. */
interface Field {
  name: string;
  least: number;
  most: number;
  /** The names that its numbers have, from `least`. Default: none. */
  names?: readonly string[];
}

const WEEKDAY: Field = {
  name: 'day of the week',
  least: 0,
  most: 7,
  names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
};
const FIELDS: readonly Field[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  {
    name: 'month',
    least: 1,
    most: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  WEEKDAY,
];
/** How many days each month may have. */
const LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Finds what is wrong with a schedule as far as the source shows it: its cron and its time zone, if they are literals
 * in `defineJob({ … })`. Anything else is checked when the job is loaded.
 */
export function findScheduleProblem(job: ESTree.Node): ScheduleProblem | undefined {
  if (job.type !== 'CallExpression') return undefined;
  const schedule = findProperty(job.arguments[0], 'schedule');
  const cron = findProperty(schedule, 'cron');
  if (cron?.type === 'Literal') {
    const message = explainCron(cron.value);
    const fix = 'Give five fields: minute, hour, day of the month, month and day of the week, such as 0 8 * * 1.';
    if (message) return { message, fix, start: cron.start };
  }
  const timeZone = findProperty(schedule, 'timeZone');
  if (timeZone?.type === 'Literal' && !isTimeZone(timeZone.value)) {
    const message = `The schedule has the time zone ${JSON.stringify(timeZone.value)}, which does not exist.`;
    return { message, fix: 'Give an IANA name, such as Europe/Berlin or UTC.', start: timeZone.start };
  }
  return undefined;
}

function explainCron(cron: unknown): string | undefined {
  const what = `The schedule has the cron ${JSON.stringify(cron)}`;
  const texts = typeof cron === 'string' ? cron.trim().split(/\s+/) : [];
  if (texts.length !== FIELDS.length) return `${what}, which does not work.`;
  const read = FIELDS.map((field, index) => readField(texts[index] ?? '', field));
  for (const values of read) if (typeof values === 'string') return what + values;
  const [, , days, months] = read as Set<number>[]; // the others have been returned
  // If both days are restricted, either is enough.
  if (texts[4] !== '*' || texts[2] === '*' || !days || !months) return undefined;
  const isDue = [...months].some((month) => [...days].some((day) => day <= (LENGTHS[month - 1] ?? 0)));
  return isDue ? undefined : `${what}, which is never due: no such month has that day.`;
}

/** The numbers that a field stands for, or what is wrong with it. */
function readField(text: string, field: Field): Set<number> | string {
  const { name, least, most } = field;
  const all = new Set<number>();
  for (const part of text.split(',')) {
    const [, from, to, step] = /^(\*|[\da-z]+)(?:-([\da-z]+))?(?:\/(\d+))?$/i.exec(part) ?? [];
    if (from === undefined || (from === '*' && to !== undefined)) return ', which does not work.';
    const first = from === '*' ? least : toNumber(from, field, 'first');
    // A step after a single number extends to the end of the range.
    const isOpen = from === '*' || (to === undefined && step !== undefined);
    const last = isOpen ? most : toNumber(to ?? from, field, 'last');
    if (first === undefined || last === undefined) return ', which does not work.';
    const wrong = [first, last].find((number) => number < least || number > most);
    if (wrong !== undefined) return `. Its ${name} is ${wrong}; it must be ${least} to ${most}.`;
    if (field === WEEKDAY && first === 7 && isOpen) return `. Its ${name} is ${part}: write 0 for Sunday.`;
    if (first > last) return `. Its ${name} is ${part}, which ends before it begins: write two ranges.`;
    const steps = field === WEEKDAY ? 7 : most - least + 1;
    if (step !== undefined && (Number(step) < 1 || Number(step) > steps)) {
      return `. Its ${name} has the step ${step}; it must be 1 to ${steps}.`;
    }
    for (let number = first; number <= last; number += Number(step ?? 1)) all.add(number);
  }
  return all;
}

/** Sunday is 0 at the beginning of a range, and 7 at its end. */
function toNumber(text: string, { least, names = [] }: Field, end: 'first' | 'last'): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const word = text.toLowerCase();
  const index = end === 'first' ? names.indexOf(word) : names.lastIndexOf(word);
  return index === -1 ? undefined : least + index;
}

function isTimeZone(name: unknown): boolean {
  if (typeof name !== 'string' || !/^[a-z]/i.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
