/**
 * Passes the events that one process records on to all others: the suite asks the function that answers requests for
 * them, but jobs record their events in other processes.
 */
export function createSignals() {
  const all = new Map();
  const children = new Set();
  return {
    share(child) {
      children.add(child);
      child.once('exit', () => children.delete(child));
      child.send({ signals: [...all] });
      child.on('message', ({ signal }) => {
        if (signal === undefined) return;
        all.set(...signal);
        for (const other of children) if (other !== child && other.connected) other.send({ signals: [signal] });
      });
    },
  };
}
