/** The signals of the fixture, which the app's own routes record as well. */
export { record, valueOf, waitFor } from '../../generic/fixture/signals.ts';
