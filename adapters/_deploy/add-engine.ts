/** The code that gives an app an engine for its jobs. */
export interface EngineCode {
  /** The line that imports it. */
  imported: string;
  /** The lines of the option `jobs`, with a comment. */
  option: string;
}

/** Adds the option `jobs` to a module of a template that hosts an app with a call on one line. */
export function addEngine(code: string, { imported, option }: EngineCode): string {
  return code
    .replace(/^import .* from 'appkit-server\/adapter\/.*';\n/m, (line) => line + imported)
    .replace(
      /createRequestHandler\(\{ (build: .+) \}\)/,
      (_, build) => `createRequestHandler({\n  ${build},\n${option}})`,
    );
}
