import { codedError } from '../../runtime/host.ts';
import type { ConnectedJobs } from '../../runtime/host.ts';
import type { SqsQueue } from './queue.ts';

/** Creates the function that stores jobs in a queue. */
export function enqueueTo(queue: SqsQueue): ConnectedJobs['enqueue'] {
  return async (envelope, transaction) => {
    const { id, job, key } = envelope;
    if (key !== undefined) {
      throw refused(
        job,
        'key',
        'a standard queue of SQS, which accepts the same message twice',
        'make sure that the job may run twice',
      );
    }
    if (transaction) {
      throw refused(job, 'transaction', 'SQS, which a database transaction cannot include', 'enqueue after the commit');
    }
    await queue.send(envelope);
    return { id, duplicate: false };
  };
}

function refused(job: string, option: string, place: string, advice: string): Error {
  return codedError(
    'ERR_JOB_INVALID',
    `The job ${job} was enqueued with the option ${option}, but AWS Lambda stores it in ${place}. Leave the option out, and ${advice}.`,
  );
}
