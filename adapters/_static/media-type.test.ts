import { expect, it } from 'vitest';
import { toContentType } from './media-type.ts';

it.each<[name: string, type: string]>([
  // Both kinds of streamed video: a playlist, and its segments.
  ['videos/talk.m3u8', 'application/vnd.apple.mpegurl'],
  ['videos/talk-0.ts', 'video/mp2t'],
  ['videos/talk.mpd', 'application/dash+xml'],
  ['videos/talk-0.m4s', 'video/iso.segment'],
  ['a.TXT', 'text/plain; charset=utf-8'],
  ['a.unknown', 'application/octet-stream'],
])('%s is %s', (name, type) => expect(toContentType(name)).toBe(type));
