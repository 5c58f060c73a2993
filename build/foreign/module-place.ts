// A CommonJS bundle has no import.meta. Workerd has no __dirname either, and a module that only reads its location must
// not fail there.

const NAMES = {
  'import.meta.dirname': '__appkitDirname',
  'import.meta.filename': '__appkitFilename',
  'import.meta.url': '__appkitUrl',
};

const LINES = {
  __appkitDirname: 'const __appkitDirname=typeof __dirname==="string"?__dirname:undefined;',
  __appkitFilename: 'const __appkitFilename=typeof __filename==="string"?__filename:undefined;',
  __appkitUrl:
    'const __appkitUrl=typeof __filename==="string"?require("node:url").pathToFileURL(__filename).href:"file:///server.js";',
};

/** For the option `transform.define`: a module's location is read from variables of its file. */
export const modulePlace: Record<string, string> = NAMES;

/** The line that a file needs at its top for these variables. */
export function toPlaceLine(code: string): string {
  const lines = Object.entries(LINES).filter(([name]) => code.includes(name));
  return lines.length === 0 ? '' : `${lines.map(([, line]) => line).join('')}\n`;
}
