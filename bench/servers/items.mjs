/** 10 KB of JSON, as in app/app/items+api.ts. */
export const items = Array.from({ length: 160 }, (_, id) => ({
  id,
  name: `item number ${id}`,
  on: id % 2 === 0,
  tags: ['a', 'b'],
}));
