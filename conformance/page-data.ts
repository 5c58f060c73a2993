import { parse } from 'devalue';
import { expect } from './generic/expect.ts';
import type { Host } from './host.ts';

interface Answer {
  data: unknown[];
  actionData?: unknown;
  failure?: { message: string; status: number; level: number };
}

/** The response to a request for the data of a page, without the later parts. */
export function readAnswer(text: string): Answer {
  const [first = ''] = text.split('\n');
  return parse(first, { Promise: (id: number) => `promise ${id}` }) as Answer;
}

async function ask(host: Host, path: string, init?: RequestInit): Promise<{ status: number; answer: Answer }> {
  const response = await host.fetch(`${path}${path.includes('?') ? '&' : '?'}_appkit_data`, init);
  return { status: response.status, answer: readAnswer(await response.text()) };
}

/** The data of a page and its layouts, the page's last, in the form in which the client requests them. */
export async function allPageData(host: Host, path: string, init?: RequestInit): Promise<unknown[]> {
  return (await ask(host, path, init)).answer.data;
}

/** The data of a page alone. */
export async function pageData(host: Host, path: string, init?: RequestInit): Promise<unknown> {
  return (await allPageData(host, path, init)).at(-1);
}

/** The failure that a response to a request for a page's data reports. Its status is the response's. */
export async function failure(host: Host, path: string): Promise<Answer['failure']> {
  const { status, answer } = await ask(host, path);
  expect(status).toBe(answer.failure?.status);
  return answer.failure;
}
