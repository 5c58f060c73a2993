import { expect, it } from 'vitest';
import { toClientAddress, toClientAddressAtEdge } from './client-address.ts';

const forwarded = '203.0.113.9, 198.51.100.7, 192.0.2.1';

it('is the other end of the connection, whatever a client sends', () => {
  expect(toClientAddress('192.0.2.1', '203.0.113.9', 0)).toBe('192.0.2.1');
  expect(toClientAddress(undefined, '203.0.113.9', 0)).toBeUndefined();
});

it('is what the farthest trusted proxy has added', () => {
  expect(toClientAddress('10.0.0.1', forwarded, 1)).toBe('192.0.2.1');
  expect(toClientAddress('10.0.0.1', forwarded, 2)).toBe('198.51.100.7');
  expect(toClientAddress('10.0.0.1', '203.0.113.9', 2)).toBe('203.0.113.9');
  expect(toClientAddress('10.0.0.1', undefined, 1)).toBe('10.0.0.1');
});

it.each([
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['203.0.113.9:5678', '203.0.113.9'],
  ['[2001:db8::1]:5678', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['x[2001:db8::1]', undefined],
  ['[2001:db8::1]:56x', undefined],
  ['x2001:db8::1', undefined],
  ['2001:db8::1', '2001:db8::1'],
  ['unknown', undefined],
  ['999.1.1.1', undefined],
  ['1.2.3.4.5', undefined],
  [':', undefined],
  ['1:2', undefined],
  ['[1:2]:80', undefined],
  ['::1]@evil.example/[', undefined],
  ['user]@[::1', undefined],
  ['', undefined],
  ['<script>', undefined],
])('reads %s as %s', (text, address) => {
  expect(toClientAddress(text, undefined, 0)).toBe(address);
  expect(toClientAddress(undefined, text, 1)).toBe(address);
});

it('leaves out what the platform itself has added', () => {
  expect(toClientAddressAtEdge('192.0.2.1', `203.0.113.9, 198.51.100.7, 192.0.2.1`, 1)).toBe('198.51.100.7');
  expect(toClientAddressAtEdge('192.0.2.1', '192.0.2.1', 1)).toBe('192.0.2.1');
  expect(toClientAddressAtEdge('192.0.2.1', '203.0.113.9', 1)).toBe('203.0.113.9');
  expect(toClientAddressAtEdge('192.0.2.1', forwarded, 0)).toBe('192.0.2.1');
  expect(toClientAddressAtEdge('192.0.2.1', undefined, 1)).toBe('192.0.2.1');
});
