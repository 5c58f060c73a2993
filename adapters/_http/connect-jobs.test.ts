import { expect, it } from 'vitest';
import { connectJobs, onlyStoring } from './connect-jobs.ts';

it('connects no jobs where no engine stores them', () => {
  const jobs = [{ name: 'mail', file: 'mail.js' }];
  expect(connectJobs(undefined, { manifest: { version: 6, routes: [], jobs }, modules: {} }, {})).toBeUndefined();
});

it('says how to store jobs on a host that stops its processes', () => {
  expect(() => onlyStoring({ needs: ['process'], connect: () => expect.fail() }, 'Netlify')).toThrow(
    'The option jobs is an engine that runs jobs in this process: Netlify stops a process when it has answered. Give ' +
      'createPostgresJobs({ work: false }), and run `appkit work` elsewhere, with the same DATABASE_URL.',
  );
});
