import { expect, it } from 'vitest';
import { placeNamed } from './named-schemas.ts';

const ref = (name: string): object => ({ $ref: `#/$defs/${name}` });
const text = { type: 'string' };

it('numbers a name that is taken by another schema', () => {
  const schemas: Record<string, unknown> = { A: { type: 'number' }, AInput: { type: 'number' } };
  const schema = { items: ref('A'), $defs: { A: text } };
  expect(placeNamed(schema, 'input', schemas)).toEqual({ items: { $ref: '#/components/schemas/AInput2' } });
  expect(placeNamed(schema, 'output', schemas)).toEqual({ items: { $ref: '#/components/schemas/A2' } });
  expect(placeNamed(schema, 'output', schemas)).toEqual({ items: { $ref: '#/components/schemas/A2' } });
  expect(schemas).toEqual({ A: { type: 'number' }, AInput: { type: 'number' }, AInput2: text, A2: text });
});

it('moves only what is used', () => {
  const schemas = {};
  placeNamed({ items: ref('A'), $defs: { A: { items: ref('B') }, B: text, C: text } }, 'output', schemas);
  expect(Object.keys(schemas)).toEqual(['A', 'B']);
});

it('leads into a definition, and leaves references of the schema to itself', () => {
  const schema = {
    anyOf: [{ $ref: '#/$defs/A/properties/b' }, { $ref: '#' }],
    $defs: { A: { properties: { b: text } } },
  };
  expect(placeNamed(schema, 'output', {})).toEqual({
    anyOf: [{ $ref: '#/components/schemas/A/properties/b' }, { $ref: '#' }],
  });
});

it('moves a definition beside one that cannot be moved, and within that', () => {
  const schemas = {};
  const schema = { items: ref('__schema0'), $defs: { __schema0: { items: [ref('__schema0'), ref('A')] }, A: text } };
  expect(placeNamed(schema, 'output', schemas)).toEqual({
    items: ref('__schema0'),
    $defs: { __schema0: { items: [ref('__schema0'), { $ref: '#/components/schemas/A' }] } },
  });
  expect(schemas).toEqual({ A: text });
});

it.each(['address2', 'oauth2', 'constructor'])('moves a definition with the name %s', (name) => {
  const schemas = Object.create(null);
  placeNamed({ items: ref(name), $defs: { [name]: text } }, 'output', schemas);
  expect(Object.keys(schemas)).toEqual([name]);
});

it.each([
  ['zod has made up', { items: ref('__schema0'), $defs: { __schema0: text } }],
  ['arktype has made up', { items: ref('intersection12'), $defs: { intersection12: text } }],
  ['valibot has made up', { items: ref('0'), $defs: { 0: text } }],
  ['no component may have', { items: ref('a b'), $defs: { 'a b': text } }],
  ['is of one that refers to such a definition', { items: ref('A'), $defs: { A: { items: ref('0') }, 0: text } }],
  ['is of a schema with a reference to the whole', { items: ref('A'), $defs: { A: { items: { $ref: '#' } } } }],
])('leaves a definition whose name %s', (_, schema) => {
  const schemas = {};
  expect(placeNamed(schema, 'output', schemas)).toBe(schema);
  expect(schemas).toEqual({});
});
