import type { OutputChunk } from 'rolldown';

import { joinMaps, type MappedText, toMappedText } from './join-maps.ts';
import type { BundleMap } from './source-map.ts';

/** A piece of what was bundled together: modules that the same files need, as a CommonJS module. */
export interface Part extends MappedText {
  /** The names of the parts that it asks for, at once or later. */
  requires: string[];
}

/** How parts are named. The bundler fills in what is in brackets. */
export const PART_NAMES = { entryFileNames: 'appkit-part-[name].js', chunkFileNames: 'appkit-part-[hash].js' };

const REQUIRE = /\brequire\((["'`])\.\/(appkit-part-[\w-]+\.js)\1\)/g;

/**
 * What parts are asked for with, in place of `require`: to that, every bundler and tracer of a host expects a file to belong. As long
 * as that name, so that the mappings of a line stay true.
 */
const LINKED = '$linked';

/** Keeps parts as CommonJS modules are kept: each runs once, when it is first asked for, and may be asked for while it runs. */
const LINKER = `const ${LINKED}=((parts,loaded={})=>name=>{let part=loaded[name];if(!part){part=loaded[name]={};parts[name](part)}return part})({`;

/** Reads a part, which the bundler would have other parts find beside it. */
export function toPart({ code, map }: OutputChunk): Part {
  const requires = new Set<string>();
  const linked = code.replaceAll(REQUIRE, (call, _quote: string, name: string) => {
    requires.add(name);
    return LINKED + call.slice(LINKED.length);
  });
  return { ...toMappedText(linked, map), requires: [...requires] };
}

/** Makes one CommonJS module of a part and all that it needs: no host has to know of others, and no route waits for another's. */
export function linkParts(name: string, parts: ReadonlyMap<string, Part>): { code: string; map: BundleMap } {
  const names = listNeeded(name, parts);
  const get = (needed: string): Part => {
    const part = parts.get(needed);
    if (!part) throw new Error(`The bundler names ${needed} and has not made it.`);
    return part;
  };
  const entry = get(name);
  if (names.length === 0) return joinMaps([entry]);
  const others = names.flatMap((needed) => [`"./${needed}"(exports){`, get(needed), '},']);
  return joinMaps([LINKER, ...others, '});', entry]);
}

/** What a part needs, however indirectly, in the order in which it is asked for. */
function listNeeded(name: string, parts: ReadonlyMap<string, Part>): string[] {
  const needed = new Set([name]);
  // What is added while the loop runs is visited as well.
  for (const each of needed) for (const other of parts.get(each)?.requires ?? []) needed.add(other);
  return [...needed].slice(1);
}
