const orders = new Map<string, string[]>();

/** Notes that a module is evaluated, for the one behaviour that loads it. */
export function evaluated(module: string, { of }: { of: string }): void {
  orderOf(of).push(module);
}

/** Which modules have been evaluated for a behaviour, in that order. */
export function orderOf(behaviour: string): string[] {
  const order = orders.get(behaviour) ?? [];
  orders.set(behaviour, order);
  return order;
}
