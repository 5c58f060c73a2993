/**
 * The handler that this process's server was given: a framework's build does not accept a function, so its route reads
 * it here.
 */
export const answer = (request) => globalThis[Symbol.for('peers.fetch')](request);
