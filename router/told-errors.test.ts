import { expect, it } from 'vitest';
import { developSite, serveSite } from './fixtures/serve-site.ts';
import type { ServedSite } from './fixtures/serve-site.ts';

// Rendered on request, since each page has a loader.
const LOADER = 'export const loader = () => ({ asked: true });\n';

const FILES = {
  'app/thrown.tsx': `${LOADER}
    export default function Thrown() {
      throw new Error('thrown before the first byte');
    }`,
  'app/late.tsx': `import { Suspense } from 'react';
    ${LOADER}
    function Part(): never {
      throw new Error('thrown in a part');
    }
    export default () => <Suspense fallback="waiting"><Part /></Suspense>;`,
  'app/boundary.tsx': `
    export const loader = () => { throw new Error('thrown by the loader'); };
    export default () => null;
    export const ErrorBoundary = () => 'something shown';`,
  'app/caused.tsx': `import { StatusError } from 'appkit-server';
    export const loader = () => { throw new StatusError(503, 'not now', { cause: new Error('the cause') }); };
    export default () => null;
    export const ErrorBoundary = () => 'something shown';`,
  'app/last+api.ts': "export const GET = () => { throw new Error('the last one'); };",
};

/** Everything printed during some requests, made one after the other. */
async function printedFor(site: ServedSite, paths: readonly string[]): Promise<string> {
  for (const path of [...paths, '/last']) {
    await (await fetch(site.url + path, { headers: { accept: 'text/html' } })).text();
  }
  await expect.poll(() => site.process.errors()).toMatch(/the last one/);
  return site.process.errors();
}

/** How often each request printed each message. */
function failuresIn(printed: string): string[] {
  return [...printed.matchAll(/(\w+ \/\w+) failed[.:]\s+(?:Status)?Error: (.+)/g)].map(
    ([, request, message]) => `${request}: ${message}`,
  );
}

const ONCE = [
  'GET /thrown: thrown before the first byte',
  'GET /late: thrown in a part',
  'GET /boundary: thrown by the loader',
  'GET /caused: not now',
  'GET /last: the last one',
];

it('reports an error of a page once, with the request, in production', async () => {
  await using site = await serveSite({ files: FILES });
  const printed = await printedFor(site, ['/thrown?token=secret', '/late', '/boundary', '/caused']);
  expect(failuresIn(printed)).toEqual(ONCE);
  for (const line of ONCE) expect(printed.split(line.replace(/^.*: /, 'Error: '))).toHaveLength(2);
  expect(printed).not.toContain('secret');
});

it('reports an error of a page once, with the request, in development', async () => {
  await using site = await developSite({ files: FILES });
  expect(failuresIn(await printedFor(site, ['/thrown', '/late', '/boundary', '/caused']))).toEqual(ONCE);
});

it('reports nothing of a page whose later parts nobody reads', async () => {
  const files = {
    'app/streamed.tsx': `import { useLoaderData } from 'appkit-router';
      import { Suspense, use } from 'react';
      export const loader = () => ({ never: new Promise<string>(() => undefined) });
      const Late = () => use(useLoaderData<typeof loader>().never);
      export default () => <Suspense fallback="waiting"><Late /></Suspense>;`,
    'app/replaced/+middleware.ts': `
      export default async function middleware(_request: Request, next: () => Promise<Response>) {
        await next();
        return new Response('replaced');
      }`,
    'app/replaced/index.tsx': "export { default, loader } from '../streamed.tsx';",
    'app/last+api.ts': FILES['app/last+api.ts'],
  };
  await using site = await serveSite({ files });
  const head = await fetch(`${site.url}/streamed`, { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(failuresIn(await printedFor(site, ['/replaced']))).toEqual(['GET /last: the last one']);
});

it('reports an unreadable file with its position, and once, whichever request needs it', async () => {
  const files = {
    'app/syntax.tsx': 'export default function Syntax() {\n  return <h1>one</h2>;\n}',
    'app/absent.tsx': "import { absent } from '../lib/absent';\nexport default () => absent;",
    'app/package.tsx':
      "import { join } from 'node:path';\nimport absent from 'not-a-package';\nexport default () => absent + join('a');",
    'app/last+api.ts': FILES['app/last+api.ts'],
  };
  await using site = await developSite({ files });
  const modules = ['syntax', 'absent', 'package'].map((name) => `/_appkit/dev/vite/app/${name}.tsx`);
  const printed = await printedFor(site, ['/syntax', '/absent', '/package', ...modules]);
  const told = (what: string, place: string): RegExp => new RegExp(`^error: ${what}\\n  ${place}`, 'm');
  expect(printed).toMatch(
    told('GET /syntax failed\\.', 'app/syntax\\.tsx:2:19: The file cannot be parsed: .+\\n  Correct the'),
  );
  expect(printed).toMatch(
    told('GET /absent failed\\.', "app/absent\\.tsx:1:24: Nothing was found for '../lib/absent'\\."),
  );
  expect(printed).toMatch(
    told('GET /package failed\\.', "app/package\\.tsx:2:20: Nothing was found for 'not-a-package'\\."),
  );
  expect(printed.match(/^error: /gm)).toHaveLength(4);
  expect(printed).not.toContain('[vite]');
});
