import type { AttackPlan } from '../conformance/emulator.ts';
import { findHosts } from '../conformance/hosts.ts';

/** A host that attacks are played against. */
export interface AttackedHost {
  name: string;
  plan: AttackPlan;
}

/** Lists the hosts whose `emulator.ts` defines how to attack them: servers first, then functions. */
export async function findAttackedHosts(): Promise<AttackedHost[]> {
  const attacked = (await findHosts()).flatMap(({ emulator: { name, attack } }) =>
    attack ? [{ name, plan: attack }] : [],
  );
  return [...attacked.filter(({ plan }) => !isFunction(plan)), ...attacked.filter(({ plan }) => isFunction(plan))];
}

/** Whether a host is a function, whose platform parses the requests. */
export function isFunction({ kind }: AttackPlan): boolean {
  return kind === 'function';
}

/**
 * By how many bytes a host's heap may differ by chance between two rounds of attacks. On Bun, the measured differences
 * reach 45 KiB.
 */
export function heapNoiseOf({ heapNoiseBytes = 64 * 1024 }: AttackPlan): number {
  return heapNoiseBytes;
}
