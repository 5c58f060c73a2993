import { describe, expect, it } from 'vitest';
import { createTimetable } from './cron.ts';

/** The next times, in UTC, to the minute. */
function times(cron: string, after: string, count: number, timeZone = 'Europe/Berlin'): string[] {
  const { next } = createTimetable({ cron, timeZone });
  const found: string[] = [];
  for (let at = next(Date.parse(after)); at !== undefined && found.length < count; at = next(at)) {
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

describe('a timetable', () => {
  it('follows its time zone, in summer and in winter', () => {
    const found = ['2026-10-19T06:00', '2026-10-26T07:00'];
    expect(times('0 8 * * 1', '2026-10-18T00:00:00Z', 2)).toEqual(found);
    expect(times('0 8 * * 1', '2026-10-18T00:00:00Z', 1, 'UTC')).toEqual(['2026-10-19T08:00']);
    expect(times('0 8 * * 1', '2026-10-18T00:00:00Z', 1, 'Asia/Kolkata')).toEqual(['2026-10-19T02:30']);
  });

  it('goes on to the end of the range if a step follows a single number', () => {
    const found = ['2026-10-19T08:05', '2026-10-19T08:25', '2026-10-19T08:45', '2026-10-19T09:05'];
    expect(times('5/20 * * * *', '2026-10-19T08:00:00Z', 4, 'UTC')).toEqual(found);
  });

  it('moves a time that does not exist to the next moment, once', () => {
    const found = ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'];
    expect(times('30 2 * * *', '2026-03-28T00:00:00Z', 3)).toEqual(found);
    expect(times('0,15,30 2 * * *', '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-30T00:00']);
  });

  it('has a time that occurs twice only once, the first time', () => {
    const found = ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'];
    expect(times('30 2 * * *', '2026-10-24T00:00:00Z', 3)).toEqual(found);
    expect(times('30 2 * * *', '2026-10-25T00:45:00Z', 1)).toEqual(['2026-10-26T01:30']);
    expect(times('0,30 2 * * *', '2026-10-24T12:00:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
      '2026-10-26T01:00',
    ]);
  });

  it('continues through a change of the clock if it is an interval', () => {
    expect(times('*/30 * * * *', '2026-03-29T00:15:00Z', 3)).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
    ]);
    expect(times('0 * * * *', '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
    ]);
  });

  it('is an interval too if only the minutes have a step, so that a missing hour has none', () => {
    expect(times('*/30 2 * * *', '2026-03-28T12:00:00Z', 1)).toEqual(['2026-03-30T00:00']);
    expect(times('*/30 2 * * *', '2026-10-24T12:00:00Z', 5)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
      '2026-10-26T01:00',
    ]);
  });

  it('needs only one of the two days to match if both are restricted, and supports names', () => {
    const found = ['2026-01-02T00:00', '2026-01-09T00:00', '2026-01-13T00:00'];
    expect(times('0 0 13 * fri', '2026-01-01T00:00:00Z', 3, 'UTC')).toEqual(found);
    expect(times('0 0 29 feb *', '2026-01-01T00:00:00Z', 1, 'UTC')).toEqual(['2028-02-29T00:00']);
    expect(times('0 0 * * 7', '2026-01-01T00:00:00Z', 1, 'UTC')).toEqual(['2026-01-04T00:00']);
  });

  it('refuses a cron that is never due, and numbers that a field does not allow', () => {
    for (const cron of [
      '60 * * * *',
      '* 24 * * *',
      '* * 0 * *',
      '* * * 13 *',
      '* * * * 8',
      '*/0 * * * *',
      '5-1 * * * *',
    ]) {
      expect(() => createTimetable({ cron, timeZone: 'UTC' }), cron).toThrow(/^CronPattern: /);
    }
    expect(() => createTimetable({ cron: '0 0 31 2 *', timeZone: 'UTC' })).toThrow('0 0 31 2 * is never due.');
  });
});
