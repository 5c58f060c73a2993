import type { TaskSet } from '../../runtime/host.ts';

/** The members that are read of the second argument of a function. */
interface LambdaContext {
  /** How long it is until Lambda ends the function, in milliseconds. */
  getRemainingTimeInMillis?(): number;
}

/** The time that is kept for passing the answer to Lambda, in milliseconds. */
const MARGIN_MS = 500;

/**
 * Waits for the tasks of a request, but not until Lambda ends the function, which would lose a returned answer with it.
 *
 * @throws Error if a task is still running then. Lambda freezes it, perhaps for ever.
 */
export async function drainInTime(tasks: TaskSet, context: unknown): Promise<void> {
  // Whoever calls the function without Lambda need not give a context.
  const left = (context as LambdaContext | null | undefined)?.getRemainingTimeInMillis?.();
  if (left === undefined) return tasks.drain();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<'over'>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, left - MARGIN_MS), 'over');
  });
  const first = await Promise.race([tasks.drain(), over]);
  clearTimeout(timer);
  if (first !== 'over') return;
  throw new Error(
    'A task of runTask or deferTask was still running when Lambda was about to end the function, so it may not finish. ' +
      'Raise its Timeout, or give the task a time limit.',
  );
}
