import { readFileSync } from 'node:fs';

import type { Plugin } from 'rolldown';

import { withoutMark } from '../../packages/parse-json.ts';

/** Without any of these, no key is `__proto__`, not even through an escape. */
const HINT = /__proto__|\\u/i;

/**
 * Reads JSON as Node does: without a byte order mark, and with keys called `__proto__`. Bundlers write an object
 * literal, in which such a key sets the prototype: the key is lost, and its content is found under names that the
 * object does not have.
 */
export function createJsonPlugin(): Plugin & { name: string } {
  return {
    name: 'appkit:json',
    load: {
      // It runs before any plugin that writes a literal.
      order: 'pre',
      filter: { id: /\.json$/ },
      handler(id) {
        if (id.startsWith('\0')) return null;
        const whole = readFileSync(id, 'utf8');
        const text = withoutMark(whole);
        if (HINT.test(text) && hasKey(text)) {
          const isDev = toMode(this) === 'dev';
          return { code: isDev ? toModule(text) : toCommonJs(text), moduleType: 'js' };
        }
        // The bundler alone takes the mark for a syntax error. Vite does not.
        const isLost = whole !== text && toMode(this) === undefined;
        return isLost ? { code: text, moduleType: 'json' } : null;
      },
    },
  };
}

/** Values whose names can also be imported, and which `require` returns unchanged. */
function toCommonJs(text: string): string {
  return `module.exports = ${toValue(text)};`;
}

/** Nothing is bundled in development, where only ES modules work. */
function toModule(text: string): string {
  const value: unknown = JSON.parse(text);
  const names = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const exported = names.filter((name) => name !== 'default' && name.isWellFormed());
  const constants = exported.map((name, index) => `const name${index} = json[${JSON.stringify(name)}];\n`).join('');
  const list = exported.map((name, index) => `name${index} as ${JSON.stringify(name)}`).join(', ');
  return `const json = ${toValue(text)};\n${constants}export default json;\nexport { ${list} };\n`;
}

function toValue(text: string): string {
  return `JSON.parse(${JSON.stringify(text)})`;
}

/** Vite's hooks know which environment they run for; those of the bundler alone do not. */
function toMode(context: object): unknown {
  const { environment }: { environment?: { mode?: unknown } } = context;
  return environment?.mode;
}

function hasKey(text: string): boolean {
  let isFound = false;
  try {
    JSON.parse(text, (key, value: unknown) => {
      isFound ||= key === '__proto__';
      return value;
    });
  } catch {
    // The bundler reports what is wrong with it.
    return false;
  }
  return isFound;
}
