import { parse } from 'devalue';
import type { Host } from '../host.ts';

/** The data of a page and its layouts, the page's last, as the client asks for them. Parts that come later are left out. */
export async function allPageData(host: Host, path: string, init: RequestInit = {}): Promise<unknown[]> {
  const response = await host.fetch(`${path}${path.includes('?') ? '&' : '?'}_appkit_data`, init);
  const [first = ''] = (await response.text()).split('\n');
  return (parse(first, { Promise: (id: number) => `promise ${id}` }) as { data: unknown[] }).data;
}

/** The data of a page alone. */
export async function pageData(host: Host, path: string, init: RequestInit = {}): Promise<unknown> {
  return (await allPageData(host, path, init)).at(-1);
}
