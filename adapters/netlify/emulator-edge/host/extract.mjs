// Run by Deno: writes the modules of the bundle that Netlify would receive as files, next to an import map for them.
import { Parser } from 'https://deno.land/x/eszip@v0.55.2/mod.ts';

const [bundle, folder] = Deno.args;
const parser = await Parser.createInstance();
const specifiers = await parser.parseBytes(await Deno.readFile(bundle));
await parser.load();
for (const specifier of specifiers) {
  const file = `${folder}/${toName(specifier)}`;
  await Deno.mkdir(file.slice(0, file.lastIndexOf('/')), { recursive: true });
  const source = await parser.getModuleSource(specifier);
  // In a bundle, these two are not in folders.
  await Deno.writeTextFile(file, source.replaceAll(/file:\/\/\/(root|vendor)\//g, './$1/'));
}

function toName(specifier) {
  if (specifier === 'netlify:import-map') return 'import-map.json';
  if (specifier === 'netlify:bootstrap-stage2') return 'functions.js';
  return specifier.replace('file:///', '');
}
