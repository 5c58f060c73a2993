/** Declares each generic behaviour as a behaviour of hosts, before a file of generic/behaviours/ is run. */
import { behaviour } from './behaviour.ts';
import { declareWith, describeReason } from './generic/behaviour.ts';

declareWith(({ name, reason, needsPlainErrors, run }) =>
  behaviour(name, { source: describeReason(reason), needs: needsPlainErrors ? ['plainErrors'] : [] }, run),
);
