import { expect, it } from 'vitest';
import { toPageUrl } from './data-request.ts';

it.each([
  ['http://a.test/x?_appkit_data', 'http://a.test/x'],
  ['http://a.test/x?_appkit_data=&a=1&_appkit_data=2', 'http://a.test/x?a=1'],
  ['http://a.test/x?my_appkit_data=1&_appkit_data', 'http://a.test/x?my_appkit_data=1'],
  ['http://a.test/x?a=b?c&_appkit_data', 'http://a.test/x?a=b?c'],
  ['/x?_appkit_data#a#b', '/x#a#b'],
])('requests by %s the data of %s', (url, page) => expect(toPageUrl(url)).toBe(page));
