import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { filesIn, writeSamples } from './guide-samples.ts';

const root = path.join(import.meta.dirname, '..');

/** The compiler's messages about files that resolve the packages as an app does. */
function compile(files: Map<string, string>, options: object = {}): string {
  const folder = writeSamples(files);
  const at = (file: string): string[] => [path.join(root, file)];
  const compilerOptions = {
    noEmit: true,
    isolatedDeclarations: false,
    lib: ['es2024', 'dom', 'dom.iterable'],
    jsx: 'react-jsx',
    typeRoots: at('node_modules/@types'),
    types: ['node'],
    paths: {
      'appkit-auth-session': at('auth/session/lib/index.d.ts'),
      'appkit-auth-session/*': at('auth/session/lib/*.d.ts'),
      'appkit-crypto/adapters/*': at('auth/crypto/lib/adapter-*.d.ts'),
      'appkit-web-browser/adapters/*': at('auth/web-browser/lib/adapter-*.d.ts'),
      'appkit-router': at('router/lib/index.d.ts'),
      'appkit-router/fetch': at('router/lib/fetch.d.ts'),
      ...Object.fromEntries(
        ['api', 'context-async-hooks', 'core', 'sdk-trace'].map((name) => [
          `@opentelemetry/${name}`,
          at(`node_modules/@opentelemetry/${name}/dist/index.d.mts`),
        ]),
      ),
      pino: at('node_modules/pino/pino.d.ts'),
      'appkit-server': at('runtime/lib/runtime/index.d.ts'),
      'appkit-server/adapter/*': at('runtime/lib/adapters/*/index.d.ts'),
      'appkit-server/static': at('runtime/lib/adapters/_static/index.d.ts'),
      'appkit-server/test': at('runtime/lib/adapters/_test/index.d.ts'),
      jose: at('node_modules/jose/dist/types/index.d.ts'),
      zod: at('node_modules/zod/index.d.ts'),
      vitest: at('node_modules/vitest/dist/index.d.ts'),
      'appkit-server/*': at('runtime/lib/runtime/*.d.ts'),
      'appkit-uri-scheme': at('cli/uri-scheme/lib/index.d.ts'),
      // What Node is given.
      'appkit-web-browser': at('auth/web-browser/lib/index.node.d.ts'),
      react: at('node_modules/@types/react/index.d.ts'),
      'react/*': at('node_modules/@types/react/*.d.ts'),
    },
    ...options,
  };
  const config = { extends: path.join(root, 'tsconfig.base.json'), compilerOptions, files: [...files.keys()] };
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  try {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    return execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

it('compiles every example of the sign-in guide', () => {
  const files = filesIn('docs/guide/sign-in.md');
  expect([...files.keys()]).toContain('app/token+api.ts');
  expect([...files.keys()]).not.toContain('');
  expect(compile(files)).toBe('');
});

it('compiles every example of the guide to sign-in in React Native', () => {
  const files = filesIn('docs/guide/sign-in-native.md');
  expect([...files.keys()]).toContain('linking.ts');
  expect([...files.keys()]).not.toContain('');
  // React Native is not installed here.
  const declared = readFileSync(path.join(root, 'auth/web-browser/optional-peers.d.ts'), 'utf8');
  expect(compile(new Map([...files, ['optional-peers.d.ts', declared]]))).toBe('');
});

it('compiles every example of the pages guide', () => {
  const files = filesIn('docs/guide/pages.md');
  expect([...files.keys()]).toEqual([
    'app/books/[id].tsx',
    'app/news.tsx',
    'app/subscribe.tsx',
    'app/likes.tsx',
    'app/likes/add+api.ts',
    'server/likes.ts',
    'app/orders.tsx',
    'app/posts/[slug].tsx',
    'app/+middleware.ts',
  ]);
  // As appkit start writes this file for an app with these pages.
  const types = `import 'appkit-server';
declare module 'appkit-server' {
  type RouteParams<Pattern extends '/books/[id]'> = { '/books/[id]': { id: string } }[Pattern];
}`;
  expect(compile(new Map([...files, ['routes.d.ts', types]]))).toBe('');
});

const samples: Record<string, readonly string[]> = {
  caching: ['app/posts/[id]+api.ts', 'lib/posts.ts', 'app/posts/[id]/edit+api.ts'],
  cookies: ['app/theme+api.ts', 'lib/session.ts', 'app/login+api.ts', 'app/account+api.ts'],
  streams: ['app/orders/events+api.ts', 'lib/orders.ts', 'app/orders.csv+api.ts', 'lib/to-body.ts'],
  jobs: ['app/mail+job.ts', 'app/orders+api.ts', 'app/report+job.ts'],
  uploads: ['app/avatar+api.ts', 'app/profile.tsx', 'app/files/[name]+api.ts'],
  testing: ['test/orders.test.ts', 'app/orders+api.ts', 'server/mail.ts', 'test/theme.test.ts', 'app/theme+api.ts'],
  operations: [
    'app/+middleware.ts',
    'logs.ts',
    'app/+instrumentation.ts',
    'metrics.ts',
    'app/livez+api.ts',
    'app/readyz+api.ts',
  ],
  middleware: ['app/+middleware.ts', 'app/api/+middleware.ts', 'app/admin/+middleware.ts'],
  'cross-origin': ['app/api/+middleware.ts', 'app/shop/+middleware.ts'],
};

it.each(Object.entries(samples))('compiles every example of the guide page %s', (page, names) => {
  const files = filesIn(`docs/guide/${page}.md`);
  expect([...files.keys()]).toEqual(names);
  expect(compile(files)).toBe('');
});

/** As in an app that init --minimal makes: the types of Node, where JSON is unknown, and none of a browser. */
const minimal = { lib: ['es2023'] };

it.each(['routes', 'caching', 'cookies', 'middleware', 'streams', 'uploads', 'jobs'])(
  'compiles every example of the guide page %s in an app with routes only',
  (page) => {
    const files = filesIn(`docs/guide/${page}.md`);
    expect(files.size).toBeGreaterThan(0);
    expect([...files.keys()]).not.toContain('');
    expect(compile(files, minimal)).toBe('');
  },
);

it('knows the headers of fetchRoute in an app with routes only', () => {
  const code = `import { fetchRoute } from 'appkit-router/fetch';
export const right = () => fetchRoute('/a', { headers: { accept: 'text/plain' } });
export const wrong = () => fetchRoute('/a', { headers: 7 });
`;
  const said = compile(new Map([['app/a+api.ts', code]]), { ...minimal, skipLibCheck: false });
  expect(said.match(/error TS\d+/g)).toHaveLength(1);
  expect(said).toMatch(/a\+api\.ts\(3,/);
});

it('compiles the example of the helpers guide', () => {
  const files = filesIn('docs/guide/helpers.md');
  // It shows what can be imported, and uses none of the imports.
  files.delete('');
  expect([...files.keys()]).toEqual(['app/+middleware.ts']);
  expect(compile(files)).toBe('');
});

it('compiles the example of the URI schemes guide', () => {
  const files = filesIn('docs/guide/uri-scheme.md');
  expect([...files.keys()]).toEqual(['add-scheme.ts']);
  expect(compile(files)).toBe('');
});

it('would find a name that does not exist', () => {
  const code = `import { exchangeCode } from 'appkit-auth-session/core';\nexport default exchangeCode;\n`;
  expect(compile(new Map([['wrong.ts', code]]))).toContain('exchangeCode');
});
