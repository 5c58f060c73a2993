/** The handler that a server of this process was given: a framework's build takes no function, so its route asks here. */
export const answer = (request) => globalThis[Symbol.for('peers.fetch')](request);
