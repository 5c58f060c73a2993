import { describe, expect, it } from 'vitest';
import { createTimetable } from '../../adapters/_jobs/cron.ts';
import { checkJobExports } from './check-exports.ts';

function check(source: string): string[] {
  const { problems } = checkJobExports({ file: 'app/report+job.ts', source, exports: ['default'] });
  return problems.map(({ file, line, message }) => `${file}:${line} ${message}`);
}

function checkSchedule(schedule: string): string[] {
  return check(
    `import { defineJob } from 'appkit-server/jobs';\nexport default defineJob({\n  schedule: ${schedule},\n  run() {},\n});`,
  );
}

describe('the schedule of a job', () => {
  it('is refused when its cron is not five fields', () => {
    for (const cron of ['@daily', '0 0 8 * * 1', '* * * *', '0 0 L * *', '0 0 * * 5#3', '/15 * * * *']) {
      const expected = `app/report+job.ts:3 The schedule has the cron "${cron}", which does not work.`;
      expect(checkSchedule(`{ cron: '${cron}' }`)).toEqual([expected]);
    }
  });

  it('is refused when a number is out of range for its field', () => {
    const found = 'app/report+job.ts:3 The schedule has the cron "0 24 * * *". Its hour is 24; it must be 0 to 23.';
    expect(checkSchedule("{ cron: '0 24 * * *' }")).toEqual([found]);
    for (const cron of ['60 * * * *', '* * 0 * *', '* * * 1-13 *', '* * * * 1,8']) {
      expect(checkSchedule(`{ cron: '${cron}' }`), cron).toHaveLength(1);
    }
  });

  it('is refused when no engine can read it', () => {
    const cases = {
      '0 22-2 * * *': '. Its hour is 22-2, which ends before it begins: write two ranges.',
      '*/0 * * * *': '. Its minute has the step 0; it must be 1 to 60.',
      '* */25 * * *': '. Its hour has the step 25; it must be 1 to 24.',
      '* * * * */8': '. Its day of the week has the step 8; it must be 1 to 7.',
      '0 0 * * mon-sun/9': '. Its day of the week has the step 9; it must be 1 to 7.',
      '0 0 mon * *': ', which does not work.',
      '0 0 * mon *': ', which does not work.',
      '0 0 * foo *': ', which does not work.',
      '0,,5 * * * *': ', which does not work.',
      '*-5 * * * *': ', which does not work.',
    };
    for (const [cron, found] of Object.entries(cases)) {
      expect(checkSchedule(`{ cron: '${cron}' }`)).toEqual([
        `app/report+job.ts:3 The schedule has the cron "${cron}"${found}`,
      ]);
      expect(() => createTimetable({ cron, timeZone: 'UTC' }), cron).toThrow('CronPattern');
    }
    // Engines differ: some have no day of the week after 6.
    expect(checkSchedule("{ cron: '0 0 * * 5,7/2' }")).toEqual([
      'app/report+job.ts:3 The schedule has the cron "0 0 * * 5,7/2". Its day of the week is 7/2: write 0 for Sunday.',
    ]);
    // The engine reads this one, and takes seconds to find out that it is never due.
    expect(checkSchedule("{ cron: '60/15 * * * *' }")).toEqual([
      'app/report+job.ts:3 The schedule has the cron "60/15 * * * *". Its minute is 60; it must be 0 to 59.',
    ]);
  });

  it('is refused when it is never due', () => {
    for (const cron of ['0 0 30 2 *', '0 0 31 4,jun,9-9 *']) {
      const expected = `app/report+job.ts:3 The schedule has the cron "${cron}", which is never due: no such month has that day.`;
      expect(checkSchedule(`{ cron: '${cron}' }`)).toEqual([expected]);
      expect(() => createTimetable({ cron, timeZone: 'UTC' }), cron).toThrow('never due');
    }
    for (const cron of ['0 0 29 2 *', '0 0 30 2 mon', '0 0 31 4,5 *', '0 0 31 2 */2']) {
      expect(checkSchedule(`{ cron: '${cron}' }`)).toEqual([]);
    }
  });

  it('is refused when its time zone does not exist', () => {
    const found = 'app/report+job.ts:3 The schedule has the time zone "Mars/City", which does not exist.';
    expect(checkSchedule("{ cron: '0 8 * * 1', timeZone: 'Mars/City' }")).toEqual([found]);
  });

  it('is also found through the name of a constant', () => {
    const source = "const job = defineJob({ schedule: { cron: '@daily' }, run() {} });\nexport default job;";
    expect(check(source)).toHaveLength(1);
  });

  it('passes if it is valid, or if the source does not show it', () => {
    expect(checkSchedule("{ cron: '*/15 8-18/2 1,15 jan-MAR mon,7', timeZone: 'Europe/Berlin' }")).toEqual([]);
    for (const cron of [
      '0 0 * * fri-sun',
      '0 0 * * sun-mon',
      '0 0 * * SUN',
      '7-59/60 * * * *',
      '00 08 * * *',
      '5/20 * * * *',
      '0 0 * * */7',
    ]) {
      expect(checkSchedule(`{ cron: '${cron}' }`)).toEqual([]);
      expect(createTimetable({ cron, timeZone: 'UTC' }).next(0), cron).toBeDefined();
    }
    expect(checkSchedule('{ cron: EVERY_DAY, timeZone }')).toEqual([]);
    expect(checkSchedule('DAILY')).toEqual([]);
    expect(check('export default defineJob({ run() {} });')).toEqual([]);
    expect(check('export default defineJob(definition);')).toEqual([]);
  });
});
