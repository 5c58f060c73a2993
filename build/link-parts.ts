import type { OutputChunk } from 'rolldown';

import { joinMaps, type MappedText, toMappedText } from './join-maps.ts';
import type { BundleMap } from './source-map.ts';

/** A piece of what was bundled together: modules that the same files need, as a CommonJS module. */
export interface Part extends MappedText {
  /** The names of the parts that it asks for, at once or later. */
  requires: string[];
  /** What it asks for them with. */
  link: string;
}

/** How parts are named. The bundler fills in what is in brackets. */
export const PART_NAMES = { entryFileNames: 'appkit-part-[name].js', chunkFileNames: 'appkit-part-[hash].js' };

const REQUIRE = /\brequire\((["'`])\.\/(appkit-part-[\w-]+\.js)\1\)/g;

/**
 * Reads parts, which the bundler would have find one another beside them.
 *
 * They ask for one another by a name of their own: by `require`, every bundler and tracer of a host would look for files. It is as long as
 * that, so that the mappings of a line stay true.
 */
export function toParts(chunks: readonly OutputChunk[]): Map<string, Part> {
  const names = new Set(chunks.map(({ fileName }) => fileName));
  const link = findUnusedName(chunks);
  return new Map(
    chunks.map(({ fileName, code, map }) => {
      const requires = new Set<string>();
      const linked = code.replaceAll(REQUIRE, (call, _quote: string, name: string) => {
        if (!names.has(name)) return call;
        requires.add(name);
        return link + call.slice('require'.length);
      });
      return [fileName, { ...toMappedText(linked, map), requires: [...requires], link }];
    }),
  );
}

function findUnusedName(chunks: readonly OutputChunk[]): string {
  for (let index = 0; ; index++) {
    const name = `$link${String(index).padStart(2, '0')}`;
    if (!chunks.some(({ code }) => code.includes(name))) return name;
  }
}

/** Makes one CommonJS module of a part and all that it needs: no host has to know of others, and no route waits for another's. */
export function linkParts(name: string, parts: ReadonlyMap<string, Part>): { code: string; map: BundleMap } {
  const get = (needed: string): Part => {
    const part = parts.get(needed);
    if (!part) throw new Error(`The bundler names ${needed} and has not made it.`);
    return part;
  };
  const entry = get(name);
  if (entry.requires.length === 0) return joinMaps([entry]);
  const others = listNeeded(name, parts).flatMap((needed) => [`"./${needed}"(exports){`, get(needed), '},']);
  // A directive counts at the top of a file.
  const directive = /^(["'])use strict\1/.test(entry.text) ? ['"use strict";'] : [];
  return joinMaps([...directive, toLinker(entry.link, name), ...others, '});', entry]);
}

/** What a part needs, however indirectly, in the order in which it is asked for. */
function listNeeded(name: string, parts: ReadonlyMap<string, Part>): string[] {
  const needed = new Set([name]);
  // What is added while the loop runs is visited as well.
  for (const each of needed) for (const other of parts.get(each)?.requires ?? []) needed.add(other);
  return [...needed].slice(1);
}

/**
 * Keeps parts as ES modules are kept: each runs once, when it is first asked for, may be asked for while it runs, and one that has thrown
 * throws the same each time. The file itself is one of them.
 */
function toLinker(link: string, entry: string): string {
  const run = 'try{parts[name](part.exports)}catch(error){part.failed=[error]}';
  const find = `let part=loaded[name];if(!part){part=loaded[name]={exports:{}};${run}}`;
  const give = 'if(part.failed)throw part.failed[0];return part.exports';
  return `const ${link}=(loaded=>parts=>name=>{${find}${give}})({"./${entry}":{exports}})({`;
}
