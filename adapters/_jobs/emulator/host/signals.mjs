/**
 * The events by which the suite sees what happens in a server. It asks the function of the requests, and jobs record theirs in processes of their own: each
 * process tells the others.
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
