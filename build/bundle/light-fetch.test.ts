import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { offerLightFetch } from '../../adapters/_light/light-fetch.ts';
import { createListener } from '../../adapters/_node/listener.ts';
import { exportFiles, loadModule } from '../fixtures/create-project.ts';

const key = Symbol.for('appkit.fetch');
const shared = globalThis as { [key]?: Pick<typeof globalThis, 'Request' | 'Response' | 'fetch'> | undefined };
const strictly = (isStrict: boolean): string =>
  JSON.stringify({ plugins: [['appkit-router', { strictFetch: isStrict }]] });

afterEach(() => {
  delete shared[key];
});

/** Exports a route next to other files, and returns what its GET returns. */
async function run(route: string, files: Record<string, string> = {}): Promise<unknown> {
  const { outputDir } = await exportFiles({ ...files, 'app/a+api.ts': route });
  return loadModule(outputDir, 'a+api.js')['GET']?.();
}

async function codeOf(outputDir: string, file: string): Promise<string> {
  return readFile(path.join(outputDir, 'server/_appkit/functions', file), 'utf8');
}

// What was registered.
const bound = "const bound = globalThis[Symbol.for('appkit.fetch')];";

describe('in a bundle, on a host that has registered light classes', () => {
  beforeEach(() => void offerLightFetch({ manifest: { version: 1, routes: [], boundFetch: true } }));

  it('Request, Response and fetch are these, also as globalThis.Response', async () => {
    expect(shared[key]?.Response).not.toBe(Response);
    const forms = ['Request', 'Response', 'fetch'].flatMap((name) =>
      [name, `globalThis.${name}`, `globalThis['${name}']`, `global.${name}`].map(
        (form) => `${form} === bound.${name}`,
      ),
    );
    expect(await run(`${bound} export const GET = () => [${forms.join()}];`)).toEqual(Array(12).fill(true));
  });

  it('a name that is put together at run time refers to the global', async () => {
    const route = "const { Response: taken } = globalThis; const name = ['Res', 'ponse'].join('');";
    const seen = await run(
      `${route} export const GET = () => [taken, globalThis[name], Reflect.get(globalThis, name)];`,
    );
    expect(seen).toEqual([Response, Response, Response]);
  });

  it('they are replaced anywhere in an expression', async () => {
    const route = `${bound}
      class Page extends Response { static kind = Object.getPrototypeOf(Page) === bound.Response; }
      const withDefault = (type = Response) => type === bound.Response;
      export const GET = async () => ({
        shorthand: { Response }.Response === bound.Response,
        typeof: [typeof Response, typeof globalThis.fetch],
        extends: Page.kind,
        instanceof: new Response() instanceof Response,
        static: (await Response.json({ a: 1 }).json()).a,
        optional: globalThis?.Response === bound.Response,
        template: \`\${Response === bound.Response}\`,
        default: withDefault(),
        closure: (() => () => fetch)()() === bound.fetch,
      });`;
    expect(await run(route)).toEqual({
      shorthand: true,
      typeof: ['function', 'function'],
      extends: true,
      instanceof: true,
      static: 1,
      optional: true,
      template: 'true',
      default: true,
      closure: true,
    });
  });

  it('names that the code declares or imports stay its own', async () => {
    const route = `
      import { Response, fetch as get } from '../lib/own.ts';
      import * as own from '../lib/own.ts';
      const scoped = (Request) => Request;
      function inner() { class Request {} ; return new Request().constructor.name; }
      function block() { { const fetch = 'block'; return fetch; } }
      function hoisted() { return typeof Request; var Request; }
      function caught() { try { throw 'caught'; } catch (fetch) { return fetch; } }
      const object = { Response: 'key', fetch() { return 'method'; } };
      export const GET = () => [
        Response, get, own.Response, scoped('parameter'), inner(), block(), hoisted(), caught(),
        object.Response, object.fetch(), (({ fetch }) => fetch)({ fetch: 'destructured' }),
      ];`;
    const lib = "export const Response = 'own'; export const fetch = 'own fetch';";
    expect(await run(route, { 'lib/own.ts': lib })).toEqual(
      [
        ['own', 'own fetch', 'own', 'parameter', 'Request', 'block', 'undefined', 'caught'],
        ['key', 'method', 'destructured'],
      ].flat(),
    );
  });

  it('an assignment goes to the global, and the code then uses its value', async () => {
    const native = { fetch, Response };
    try {
      const route = `
        export const GET = async () => {
          globalThis.fetch = async () => new Response('replaced');
          globalThis.Response = class Replaced {};
          return [await (await fetch('http://h/')).constructor.name, Response.name, new Response().constructor.name];
        };`;
      const first = run(route);
      expect(await first).toEqual(['Replaced', 'Replaced', 'Replaced']);
      expect([fetch === native.fetch, Response.name]).toEqual([false, 'Replaced']);
    } finally {
      Object.assign(globalThis, native);
    }
    expect(shared[key]?.Response).not.toBe(Response);
  });

  it('so does an assignment to the bare name', async () => {
    const native = globalThis.fetch;
    try {
      const route = "export const GET = () => { fetch = async () => 'replaced'; return fetch('http://h/'); };";
      expect(await run(`// @ts-nocheck\n${route}`)).toBe('replaced');
      expect(globalThis.fetch).not.toBe(native);
    } finally {
      globalThis.fetch = native;
    }
  });

  it('a dependency has them, whether ES module or CommonJS, and however it uses them', async () => {
    const files = {
      'node_modules/esm/package.json': '{"name":"esm","type":"module","exports":"./index.js"}',
      'node_modules/esm/index.js':
        'export const make = () => new Response("esm"); export { Response as Old } from "./own.js";',
      'node_modules/esm/own.js': 'export class Response { static own = true; }',
      'node_modules/cjs/package.json': '{"name":"cjs","main":"main.js"}',
      // As compilers write it.
      'node_modules/cjs/main.js': `"use strict"; var __defProp = Object.defineProperty;
        var __export = (target, all) => { for (var name in all) __defProp(target, name, { get: all[name] }); };
        var exported = {}; __export(exported, { make: () => make, Response: () => Response });
        module.exports = exported;
        var Base = Response; class Made extends Base {}
        function make() { return new Made("cjs"); }`,
    };
    const route = `import { make, Old } from 'esm'; import cjs from 'cjs'; ${bound}
      export const GET = async () => [
        make().constructor === bound.Response, await make().text(), Old.own,
        cjs.Response === bound.Response, cjs.make() instanceof bound.Response, await cjs.make().text(),
      ];`;
    expect(await run(route, files)).toEqual([true, 'esm', true, true, true, 'cjs']);
  });

  it('two bundles share them', async () => {
    const route = 'export const GET = () => Response;';
    const { outputDir } = await exportFiles({ 'app/a+api.ts': route, 'app/b+api.ts': route });
    const [a, b] = ['a+api.js', 'b+api.js'].map((file) => loadModule(outputDir, file)['GET']?.());
    expect(a).toBe(b);
    expect(a).toBe(shared[key]?.Response);
  });

  it('with strictFetch they are the native ones', async () => {
    const route = 'export const GET = () => [Request, Response, fetch, globalThis.Response];';
    const own = { 'app.json': strictly(true) };
    expect(await run(route, own)).toEqual([Request, Response, fetch, Response]);
    const { outputDir } = await exportFiles({ ...own, 'app/a+api.ts': route });
    expect(await codeOf(outputDir, 'a+api.js')).not.toContain('appkit.fetch');
    expect(await run(route, { 'app.json': strictly(false) })).not.toEqual([Request, Response, fetch, Response]);
  });
});

describe('a bundle', () => {
  it('uses the globals when nothing is registered', async () => {
    expect(await run('export const GET = () => [Request, Response, fetch];')).toEqual([Request, Response, fetch]);
  });

  it('uses the globals in plain Node, without any of our packages', async () => {
    const { outputDir } = await exportFiles({
      'app/a+api.ts':
        "export const GET = () => Response.json({ native: Response === Reflect.get(globalThis, 'Response') });",
    });
    const file = path.join(outputDir, 'server/_appkit/functions/a+api.js');
    const script = `require(${JSON.stringify(file)}).GET().json().then((seen) => console.log(seen.native))`;
    expect(String(execFileSync(process.execPath, ['-e', script]))).toBe('true\n');
  });

  it('that uses none of them has no binding', async () => {
    const { outputDir } = await exportFiles({
      'app/a+api.ts':
        "const own = { fetch: 1, Response: 'Response' }; export const GET = () => own.fetch + own.Response;",
    });
    expect(await codeOf(outputDir, 'a+api.js')).not.toMatch(/appkit/i);
  });

  it('keeps the lines of its source map', async () => {
    const route =
      'const a = 1;\nexport const GET = () => {\n  Response.json(a);\n  fetch; throw new Error("here");\n};\n';
    const { outputDir, projectRoot } = await exportFiles({ 'app/a+api.ts': route });
    const file = path.join(outputDir, 'server/_appkit/functions/a+api.js');
    const script = `try { require(${JSON.stringify(file)}).GET() } catch (error) { console.log(error.stack) }`;
    const trace = String(execFileSync(process.execPath, ['--enable-source-maps', '-e', script]));
    expect(trace).toContain(`${path.join(projectRoot, 'app/a+api.ts')}:4:`);
  });

  it('serves with light ones through the Node adapter, which registers them', async () => {
    const { outputDir } = await exportFiles({
      'app/a+api.ts': `export const POST = async (request) => Response.json({
        light: Response !== Reflect.get(globalThis, 'Response') && request.constructor === Request,
        copy: await new Request(request.clone()).text(),
        body: await request.text(),
      }, { headers: { 'x-a': '1' } });`,
    });
    const server = http.createServer(createListener({ build: path.join(outputDir, 'server') })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}/a`, { method: 'POST', body: 'é' });
      expect(response.headers.get('x-a')).toBe('1');
      expect(await response.json()).toEqual({ light: true, copy: 'é', body: 'é' });
    } finally {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  });
});
