import type { Adapter, AdapterPayload } from 'oidc-provider';

const entries = new Map<string, AdapterPayload>();

/** Stores the local provider's data, such as tokens, until the process ends. */
export class Memory implements Adapter {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    entries.set(this.#key(id), payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return entries.get(this.#key(id));
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#where((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#where((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const payload = entries.get(this.#key(id));
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    entries.delete(this.#key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of entries) if (payload.grantId === grantId) entries.delete(key);
  }

  #where(isIt: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    return [...entries].find(([key, payload]) => key.startsWith(this.#key('')) && isIt(payload))?.[1];
  }

  #key(id: string): string {
    return `${this.#kind}:${id}`;
  }
}
