const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/**
 * Converts the five fields of crontab to Vercel's form: months and days of the week as numbers, with Sunday as 0.
 *
 * @param cron – as the export has checked it.
 * @returns `undefined` if both days are restricted: Vercel accepts only one.
 */
export function toVercelCron(cron: string): string | undefined {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = cron.split(' ');
  if (day !== '*' && weekday !== '*') return undefined;
  const months = month.replace(/[a-z]+/gi, (name) => String(MONTHS.indexOf(name.toUpperCase()) + 1));
  return [minute, hour, day, months, toWeekdays(weekday)].map(closeSteps).join(' ');
}

/** The last number of each field: 7 is not used for Sunday. */
const LAST = [59, 23, 31, 12, 6];

/** A step after a single number extends to the end of the range, which is written out: `5/20` is `5-59/20`. */
function closeSteps(field: string, index: number): string {
  return field.replace(/(^|,)(\d+)\//g, `$1$2-${LAST[index]}/`);
}

function toWeekdays(field: string): string {
  // At the end of a range, Sunday is the last day.
  const numbered = field.replace(/(-?)([a-z]+)/gi, (_, dash: string, name: string) => {
    const number = DAYS.indexOf(name.toUpperCase());
    return dash + String(dash !== '' && number === 0 ? 7 : number);
  });
  return numbered.split(',').map(withoutSeven).join(',');
}

/** One part of a list, in which Sunday is never 7. */
function withoutSeven(part: string): string {
  const [, from, to = from, step = '1'] = /^(\d)(?:-(\d))?(?:\/(\d+))?$/.exec(part) ?? [];
  if (from !== '7' && to !== '7') return part;
  const days: number[] = [];
  for (let number = Number(from); number <= 7; number += Number(step)) days.push(number % 7);
  return days.join(',');
}
