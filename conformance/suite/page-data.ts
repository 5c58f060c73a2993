import { parse } from 'devalue';
import { expect } from 'vitest';
import type { Host } from '../host.ts';

interface Answer {
  data: unknown[];
  actionData?: unknown;
  failure?: { message: string; status: number; level: number };
}

/** What is answered to a request for the data of a page. What comes later is left out. */
export function readAnswer(text: string): Answer {
  const [first = ''] = text.split('\n');
  return parse(first, { Promise: (id: number) => `promise ${id}` }) as Answer;
}

async function ask(host: Host, path: string, init?: RequestInit): Promise<{ status: number; answer: Answer }> {
  const response = await host.fetch(`${path}${path.includes('?') ? '&' : '?'}_appkit_data`, init);
  return { status: response.status, answer: readAnswer(await response.text()) };
}

/** The data of a page and its layouts, the page's last, as the client asks for them. */
export async function allPageData(host: Host, path: string, init?: RequestInit): Promise<unknown[]> {
  return (await ask(host, path, init)).answer.data;
}

/** The data of a page alone. */
export async function pageData(host: Host, path: string, init?: RequestInit): Promise<unknown> {
  return (await allPageData(host, path, init)).at(-1);
}

/** What the answer to a request for the data of a page says has failed. Its status is that of the answer. */
export async function failure(host: Host, path: string): Promise<Answer['failure']> {
  const { status, answer } = await ask(host, path);
  expect(status).toBe(answer.failure?.status);
  return answer.failure;
}
