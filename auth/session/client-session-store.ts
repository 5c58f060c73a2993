import { parseJsonObject } from './read-answer.ts';
import { TokenResponse } from './token-response.ts';
import type { TokenResponseConfig } from './token-response.ts';

/** Where tokens are kept, such as `localStorage`, or a store of the device in a native app. */
export interface SessionStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
  removeItem(key: string): void | Promise<void>;
}

/** Writes tokens as text. */
export function toText(tokens: TokenResponse): string {
  return JSON.stringify(tokens.getRequestConfig());
}

/** Reads what {@link toText} has written; null for anything else, which counts as signed out. */
export function fromText(text: string | null): TokenResponse | null {
  const fields = text === null ? undefined : parseJsonObject(text);
  if (typeof fields?.['accessToken'] !== 'string' || typeof fields['issuedAt'] !== 'number') return null;
  // What has both is ours.
  return new TokenResponse(fields as unknown as TokenResponseConfig);
}

/** Stores a text, or removes it. */
export async function keepText(storage: SessionStorage, key: string, text: string | null): Promise<void> {
  try {
    await (text === null ? storage.removeItem(key) : storage.setItem(key, text));
  } catch (cause) {
    const error = new Error('The storage of the session cannot be written: it is full, or blocked.', { cause });
    throw Object.assign(error, { code: 'ERR_AUTH_STORAGE' });
  }
}

/** Reads a text. */
export async function readText(storage: SessionStorage, key: string): Promise<string | null> {
  try {
    return await storage.getItem(key);
  } catch (cause) {
    const error = new Error('The storage of the session cannot be read: it is blocked.', { cause });
    throw Object.assign(error, { code: 'ERR_AUTH_STORAGE' });
  }
}
