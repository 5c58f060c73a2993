import { expect, it } from 'vitest';
import { createTimetable } from '../_jobs/cron.ts';
import { timesOfJob, timesOfTrigger, toCloudflareCron } from './cron.ts';

it('names the days of the week, since Cloudflare numbers them from Sunday as 1', () => {
  expect(toCloudflareCron('0 8 * * 1')).toBe('0 8 * * MON');
  expect(toCloudflareCron('0 8 * * 0')).toBe('0 8 * * SUN');
  expect(toCloudflareCron('0 8 * * 7')).toBe('0 8 * * SUN');
  expect(toCloudflareCron('0 8 * * 1-5')).toBe('0 8 * * MON,TUE,WED,THU,FRI');
  expect(toCloudflareCron('0 8 * * 5-7,mon')).toBe('0 8 * * SUN,MON,FRI,SAT');
  expect(toCloudflareCron('0 8 * * */2')).toBe('0 8 * * SUN,TUE,THU,SAT');
  expect(toCloudflareCron('*/5 8-18/2 1,15 jan-MAR *')).toBe('*/5 8-18/2 1,15 jan-MAR *');
  expect(toCloudflareCron('0 8 * * Mon-fri')).toBe('0 8 * * Mon-fri');
});

it('finds equal times in crons that are written differently', () => {
  for (const [job, trigger] of [
    ['0 8 * * 1-5', '0 8 * * MON-FRI'],
    ['0 8 * * 1-5', '0 8 * * 2-6'],
    ['0 8 * * 7', '0 8 * * 1'],
    ['*/20 8 * 1 *', '0,20,40  8 * JAN *'],
    ['0 8 * * */2', '0 8 * * 1/2'],
    ['0 8 * * fri-sun', '0 8 * * SUN,FRI,SAT'],
    ['0 8 * * 0-6', '0 8 * * SUN-SAT'],
    ['0 8 1 * 0-7', '0 8 1 * 1-7'],
  ] as const) {
    expect(timesOfTrigger(trigger), `${job} ${trigger}`).toBe(timesOfJob(job));
    expect(timesOfTrigger(toCloudflareCron(job)), job).toBe(timesOfJob(job));
  }
});

it('finds different times, even if only an unrestricted day differs', () => {
  for (const [job, trigger] of [
    ['0 8 * * 1', '0 8 * * 1'],
    ['0 8 * * *', '0 8 * * 1-7'],
    ['0 8 1 * *', '0 8 * * *'],
    ['0 8 * * *', '0 8 * * * *'],
  ] as const) {
    expect(timesOfTrigger(trigger), `${job} ${trigger}`).not.toBe(timesOfJob(job));
  }
});

it('does not understand what Cloudflare reads differently', () => {
  for (const cron of [
    '5-1 * * * *',
    '0 0 * * sat-mon',
    '60 * * * *',
    '*/0 * * * *',
    '0 0 L * *',
    '0 0 * * MON#2',
    '1-a * * * *',
    '',
  ]) {
    expect(timesOfJob(cron), cron).toBe(undefined);
  }
});

it('agrees with the parser of the other engines', () => {
  for (const cron of ['*/7 3-9/2 * * *', '0 0 13 * fri', '15 10 1,31 feb-apr 1-3', '0 12 * * 6-7', '30 23 */9 * *']) {
    const [minutes, hours, days, months, weekdays] = (timesOfJob(cron) ?? '').split(' ');
    const has = (field: string | undefined, number: number): boolean =>
      field === '*' || (field ?? '').split(',').includes(String(number));
    const due: string[] = [];
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2026, 5, 1) && due.length < 200; at += 60_000) {
      const time = new Date(at);
      const isDay =
        days === '*' || weekdays === '*'
          ? has(days, time.getUTCDate()) && has(weekdays, time.getUTCDay())
          : has(days, time.getUTCDate()) || has(weekdays, time.getUTCDay());
      const isTime = has(minutes, time.getUTCMinutes()) && has(hours, time.getUTCHours());
      if (isDay && isTime && has(months, time.getUTCMonth() + 1)) due.push(time.toISOString());
    }
    const { next } = createTimetable({ cron, timeZone: 'UTC' });
    const expected: string[] = [];
    for (let at = next(Date.UTC(2026, 0, 1) - 1); expected.length < due.length && at !== undefined; at = next(at)) {
      expected.push(new Date(at).toISOString());
    }
    expect(due.length, cron).toBeGreaterThan(5);
    expect(due, cron).toEqual(expected);
  }
});
