/** The events that a process records for the suite. Sends each to the other processes, through the one that started it. */
export class SharedSignals extends Map {
  set(name, value) {
    process.send({ signal: [name, value] });
    return super.set(name, value);
  }

  /** Records what other processes have recorded. */
  hear(signals) {
    for (const [name, value] of signals) super.set(name, value);
  }
}
