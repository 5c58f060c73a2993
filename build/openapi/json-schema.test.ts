import { expect, it } from 'vitest';
import { moveTo, refersToItself } from './json-schema.ts';

it('changes references of a schema, and nothing that only looks like a reference', () => {
  const data = { default: { $ref: '#/a' }, examples: [{ $ref: '#' }], const: { $ref: '#' } };
  expect(refersToItself({ properties: { $ref: { ...data, $ref: 'https://other.example/#/a' } } })).toBe(false);
  const schema = { ...data, anyOf: [{ $ref: '#' }, { items: { $ref: '#/$defs/a' } }] };
  expect(refersToItself(schema)).toBe(true);
  expect(moveTo('#/b', schema)).toEqual({ ...data, anyOf: [{ $ref: '#/b' }, { items: { $ref: '#/b/$defs/a' } }] });
});
