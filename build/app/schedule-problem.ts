import type { ESTree } from 'rolldown/utils';

import { findProperty } from './literals.ts';

/** What is wrong with a job's schedule, and where. */
export interface ScheduleProblem {
  message: string;
  fix: string;
  /** Its position in the source. */
  start: number;
}

const NAME = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat';
const FIELD = new RegExp(`^(?:[\\d*,/-]|${NAME})+$`, 'i');
/** The fields of a cron expression, with their ranges. */
const FIELDS: readonly (readonly [name: string, least: number, most: number])[] = [
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day of the month', 1, 31],
  ['month', 1, 12],
  ['day of the week', 0, 7],
];

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
  const fields = typeof cron === 'string' ? cron.trim().split(/\s+/) : [];
  if (fields.length !== FIELDS.length || !fields.every((field) => FIELD.test(field))) {
    return `The schedule has the cron ${JSON.stringify(cron)}, which does not work.`;
  }
  for (const [index, [name, least, most]] of FIELDS.entries()) {
    // A step need not be within the field's range.
    const numbers = fields[index]?.replace(/\/\d+/g, '').match(/\d+/g) ?? [];
    const wrong = numbers.map(Number).find((number) => number < least || number > most);
    if (wrong !== undefined) {
      return `The schedule has the cron ${JSON.stringify(cron)}. Its ${name} is ${wrong}; it must be ${least} to ${most}.`;
    }
  }
  return undefined;
}

function isTimeZone(name: unknown): boolean {
  if (typeof name !== 'string' || !/^[a-z]/i.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
