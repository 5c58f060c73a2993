import { afterEach, describe, expect, it, vi } from 'vitest';
import { offerLightFetch } from './light-fetch.ts';
import { LightRequest } from './light-request.ts';
import { LightResponse } from './light-response.ts';

const shared = globalThis as { [key: symbol]: unknown };
const key = Symbol.for('appkit.fetch');

afterEach(() => {
  delete shared[key];
});

const offer = (boundFetch?: boolean): boolean =>
  offerLightFetch({ manifest: { version: 1, routes: [], ...(boundFetch === undefined ? {} : { boundFetch }) } });

describe('offerLightFetch()', () => {
  it('offers the light classes to a build whose modules look them up', () => {
    expect(offer(true)).toBe(true);
    expect(shared[key]).toMatchObject({ Request: LightRequest, Response: LightResponse });
  });

  it('offers nothing to any other build, and nothing on Bun and Deno', () => {
    expect([offer(), offer(false)]).toEqual([false, false]);
    for (const name of ['Bun', 'Deno']) {
      vi.stubGlobal(name, {});
      expect([name, offer(true)]).toEqual([name, false]);
      vi.unstubAllGlobals();
    }
    expect(shared[key]).toBeUndefined();
  });

  it('leaves what another copy of this package has offered', () => {
    const other = {};
    shared[key] = other;
    expect(offer(true)).toBe(false);
    expect(shared[key]).toBe(other);
  });
});

describe('what modules mean by the names', () => {
  const names = (): typeof globalThis => {
    offer(true);
    return shared[key] as typeof globalThis;
  };

  it('is a global that was replaced, as tests and tracers do', async () => {
    const mine = {};
    for (const name of ['Request', 'Response'] as const) {
      vi.stubGlobal(name, mine);
      expect(names()[name]).toBe(mine);
    }
    vi.stubGlobal('fetch', async () => 'mine');
    expect(await names().fetch('http://h/')).toBe('mine');
  });

  it('replaces the global when it is set', async () => {
    const mine = {};
    for (const name of ['Request', 'Response'] as const) {
      vi.stubGlobal(name, globalThis[name]);
      names()[name] = mine as never;
      expect([globalThis[name], names()[name]]).toEqual([mine, mine]);
    }
    vi.stubGlobal('fetch', globalThis.fetch);
    names().fetch = async () => 'mine' as never;
    expect(await names().fetch('http://h/')).toBe('mine');
  });
});
