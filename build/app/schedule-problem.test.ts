import { describe, expect, it } from 'vitest';
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
    for (const cron of ['@daily', '0 0 8 * * 1', '* * * *', '0 0 L * *', '0 0 * * 5#3']) {
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
    expect(checkSchedule('{ cron: EVERY_DAY, timeZone }')).toEqual([]);
    expect(checkSchedule('DAILY')).toEqual([]);
    expect(check('export default defineJob({ run() {} });')).toEqual([]);
    expect(check('export default defineJob(definition);')).toEqual([]);
  });
});
