import { expect, it } from 'vitest';
import { toAwsCron } from './aws-cron.ts';

const written: [cron: string, expression: string | undefined][] = [
  ['* * * * *', 'cron(* * * * ? *)'],
  ['0 8 * * 1', 'cron(0 8 ? * MON *)'],
  ['0 8 * * 0', 'cron(0 8 ? * SUN *)'],
  ['0 8 * * 7', 'cron(0 8 ? * SUN *)'],
  ['0 8 * * 1-5', 'cron(0 8 ? * MON-FRI *)'],
  ['0 8 * * 5-7', 'cron(0 8 ? * SUN,FRI,SAT *)'],
  ['0 8 * * sat,Sun', 'cron(0 8 ? * SUN,SAT *)'],
  ['0 8 * * mon-wed', 'cron(0 8 ? * MON-WED *)'],
  ['0 8 * * 0-7', 'cron(0 8 * * ? *)'],
  ['*/15 * * * *', 'cron(0,15,30,45 * * * ? *)'],
  ['5/20 8-18/2 * * *', 'cron(5,25,45 8,10,12,14,16,18 * * ? *)'],
  ['0 0 1,2,3,15 jan-mar,12 *', 'cron(0 0 1-3,15 1-3,12 ? *)'],
  ['0 0 */10 * *', 'cron(0 0 1,11,21,31 * ? *)'],
  ['0 8 * * fri-SUN', 'cron(0 8 ? * SUN,FRI,SAT *)'],
  ['0 8 * * mon-sun', 'cron(0 8 * * ? *)'],
  ['0 0 13 * 5', undefined],
  // Any day, as in the other engines: it is enough if one of the two matches.
  ['0 0 1 * */1', undefined],
  ['0 0 1-31 * 1', undefined],
  ['*/0 * * * *', undefined],
  ['*/ * * * *', undefined],
  ['55-5 * * * *', undefined],
  ['60 * * * *', undefined],
  ['1-,5 * * * *', undefined],
  [', * * * *', undefined],
  ['1-2-3 * * * *', undefined],
];
for (const [cron, expression] of written) {
  it(`${cron} is ${expression}`, () => {
    expect(toAwsCron(cron)).toBe(expression);
  });
}
