// A process that runs jobs in PostgreSQL, for tests that end it: node worker-process.cases.ts <url> <folder>
import { createEffects } from '../_jobs/effects.cases.ts';
import { createPostgresJobs } from './index.ts';

const [connectionString, folder = ''] = process.argv.slice(2);

createPostgresJobs({ connectionString }).connect(createEffects(folder, { concurrency: 50 }));
setInterval(() => {}, 60_000);
