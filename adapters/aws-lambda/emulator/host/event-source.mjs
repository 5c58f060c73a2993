import { once } from 'node:events';

/**
 * Calls a function with the messages of a queue, as an event source mapping of Lambda does: a message whose id is in
 * `batchItemFailures` comes again when its visibility time-out is over, and so does an entire batch whose function has
 * failed. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 *
 * @param mapping – `{ BatchSize, FunctionResponseTypes }` of the event in the template.
 * @param invoke – resolves with what the function has returned, rejects if it has failed or ended.
 * @returns how many messages it has handed over.
 */
export async function deliver(queue, { BatchSize = 10, FunctionResponseTypes = [] }, invoke) {
  const records = queue.receive(BatchSize);
  if (records.length === 0) return 0;
  let result;
  try {
    result = await invoke({ Records: records });
  } catch {
    return records.length;
  }
  const isPartial = FunctionResponseTypes.includes('ReportBatchItemFailures');
  const failed = isPartial ? toFailed(result, records) : [];
  for (const { messageId, receiptHandle } of records) {
    if (!failed.includes(messageId)) queue.delete(receiptHandle);
  }
  return records.length;
}

/** Delivers arriving messages, with at most this many calls of the function at the same time. */
export async function deliverAll(queue, mapping, invoke) {
  const { MaximumConcurrency = 100 } = mapping.ScalingConfig ?? {};
  let running = 0;
  for (;;) {
    while (running < MaximumConcurrency && queue.nextAt() <= Date.now()) {
      running += 1;
      void deliver(queue, mapping, invoke).finally(() => {
        running -= 1;
        queue.emit('change');
      });
    }
    await somethingElse(queue);
  }
}

async function somethingElse(queue) {
  const until = queue.nextAt() - Date.now();
  const timer = until > 0 && Number.isFinite(until) ? setTimeout(() => queue.emit('change'), until) : undefined;
  await once(queue, 'change');
  clearTimeout(timer);
}

// A result that Lambda cannot read counts as a failed batch.
function toFailed(result, records) {
  const all = records.map(({ messageId }) => messageId);
  if (result === null || result === undefined || !Array.isArray(result.batchItemFailures)) return [];
  const failed = result.batchItemFailures.map((failure) => failure?.itemIdentifier);
  return failed.every((id) => all.includes(id)) ? failed : all;
}
