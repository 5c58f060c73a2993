import { expect, it } from 'vitest';
import { toVercelCron } from './vercel-cron.ts';

it('writes a cron with the numbers that Vercel understands', () => {
  const written = Object.fromEntries(
    [
      '0 8 * * 1',
      '*/15 8-18/2 * * *',
      '0 8 1,15 jan-mar *',
      '0 8 * * mon-fri',
      '0 8 * * 7',
      '0 8 * * FRI-SUN',
      '0 8 * * 1-7/2',
      '0 8 * * */7',
      '5/20 8/4 * feb/3 *',
      '0 8 * * tue/2',
      '0 8 1 * 1',
    ].map((cron) => [cron, toVercelCron(cron)]),
  );
  expect(written).toEqual({
    '0 8 * * 1': '0 8 * * 1',
    '*/15 8-18/2 * * *': '*/15 8-18/2 * * *',
    '0 8 1,15 jan-mar *': '0 8 1,15 1-3 *',
    '0 8 * * mon-fri': '0 8 * * 1-5',
    '0 8 * * 7': '0 8 * * 0',
    '0 8 * * FRI-SUN': '0 8 * * 5,6,0',
    '0 8 * * 1-7/2': '0 8 * * 1,3,5,0',
    '0 8 * * */7': '0 8 * * */7',
    '5/20 8/4 * feb/3 *': '5-59/20 8-23/4 * 2-12/3 *',
    '0 8 * * tue/2': '0 8 * * 2-6/2',
    '0 8 1 * 1': undefined,
  });
});
