import { describe, expect, it } from 'vitest';
import { readJobSettings } from './job-settings.ts';

const IMPORT = "import { defineJob } from 'appkit-server/jobs';\n";
const UNKNOWN = { schedule: 'unknown', attempts: 'unknown', timeoutMs: 'unknown', concurrency: 'unknown' };

function read(source: string): unknown {
  return readJobSettings({ file: 'app/report+job.ts', source });
}

function readDefinition(definition: string): unknown {
  return read(`${IMPORT}export default defineJob({ ${definition} });`);
}

describe('the settings of a job', () => {
  it('are read when they are literals', () => {
    const definition = `
      'timeoutMs': 15 * 60_000,
      concurrency: (1 as number),
      retry: { delayMs, attempts: 3 } satisfies JobRetry,
      schedule: { cron: \`0  8 * * 1 \`, timeZone: 'Europe/Berlin', missed: 'once', input: makeInput() },
      run: () => {},`;
    expect(readDefinition(definition)).toEqual({
      schedule: { cron: '0 8 * * 1', timeZone: 'Europe/Berlin', missed: 'once' },
      attempts: 3,
      timeoutMs: 900_000,
      concurrency: 1,
    });
  });

  it('are absent when they have their defaults', () => {
    expect(readDefinition('run() {}, schedule: undefined, retry: {}')).toEqual({});
    expect(readDefinition("schedule: { cron: '* * * * *' }")).toEqual({
      schedule: { cron: '* * * * *', timeZone: 'UTC', missed: 'skip' },
    });
  });

  it('are unknown when the source does not show them', () => {
    expect(readDefinition('schedule: DAILY, retry, timeoutMs: MINUTE, concurrency')).toEqual(UNKNOWN);
    for (const schedule of [
      '{ cron: DAILY }',
      "{ cron: '* * * * *', timeZone }",
      '{ ...DAILY }',
      "{ cron: '* * * * *', missed }",
    ]) {
      expect(readDefinition(`schedule: ${schedule}`), schedule).toEqual({ schedule: 'unknown' });
    }
    expect(readDefinition('timeoutMs: 1, ...common, concurrency: 2')).toEqual({ ...UNKNOWN, concurrency: 2 });
    expect(readDefinition('timeoutMs: 1, [name]: 2, concurrency: 2')).toEqual({ ...UNKNOWN, concurrency: 2 });
  });

  it('are unknown when defineJob() is not called in the same place', () => {
    expect(read(`${IMPORT}export default defineJob(definition);`)).toEqual(UNKNOWN);
    expect(read(`${IMPORT}export default withDefaults({ run() {} });`)).toEqual(UNKNOWN);
    expect(read("export { default } from './other.ts';")).toEqual(UNKNOWN);
    expect(read("import { defineJob } from './own.ts';\nexport default defineJob({ run() {} });")).toEqual(UNKNOWN);
  });

  it('are found by the name of a constant, and by another name of defineJob()', () => {
    const source =
      "import { defineJob as job } from 'appkit-server/jobs';\nconst mail = job({ timeoutMs: 5 });\nexport default mail;";
    expect(read(source)).toEqual({ timeoutMs: 5 });
  });
});
