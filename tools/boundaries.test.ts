import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// A lint rule with a wrong configuration silently passes everything. So each import rule of DESIGN is broken here once.
const root = path.join(import.meta.dirname, '..');
const oxlint = path.join(root, 'node_modules/.bin/oxlint');
let scratch: string;

beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'appkit-boundaries-'));
  copyFileSync(path.join(root, '.oxlintrc.json'), path.join(scratch, '.oxlintrc.json'));
  // Ignore rules of an outer repository must not apply here.
  execFileSync('git', ['init', '--quiet'], { cwd: scratch });
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function lint(file: string, source: string): { passes: boolean; output: string } {
  const target = path.join(scratch, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, `${source}\n`);
  const { status, stdout } = spawnSync(oxlint, [file], { cwd: scratch, encoding: 'utf8' });
  return { passes: status === 0, output: stdout };
}

function importing(name: string): string {
  return `import { planted } from '${name}';\nexport const used: unknown = planted;`;
}

describe('an import across a boundary is refused', () => {
  const refused: [file: string, imported: string][] = [
    ['runtime/planted.ts', 'node:fs'],
    ['runtime/planted.ts', 'express'],
    ['runtime/planted.ts', '../adapters/node/index.ts'],
    ['runtime/routing/planted.ts', 'node:fs'],
    ['runtime/routing/planted.ts', '../../adapters/node/index.ts'],
    ['adapters/node/planted.ts', '../bun/index.ts'],
    ['adapters/node/planted.ts', '../../build/index.ts'],
    ['adapters/node/planted.ts', '../../runtime/handler.ts'],
    ['adapters/_node/planted.ts', '../../runtime/http/etag.ts'],
    ['adapters/_node/planted.ts', 'express'],
    ['adapters/express/planted.ts', 'express'],
    ['adapters/node/emulator.ts', './index.ts'],
    ['adapters/node/emulator.ts', '../../runtime/handler.ts'],
    ['build/planted.ts', '../runtime/routing/match.ts'],
    ['build/planted.ts', 'appkit-server'],
    ['build/site/planted.ts', '../../runtime/routing/match.ts'],
    ['build/site/planted.ts', 'appkit-server'],
    ['build/bundle/plugins/planted.ts', '../../../runtime/routing/match.ts'],
    ['build/planted.ts', 'appkit-server/manifest'],
    ['cli/appkit/planted.ts', '../../runtime/index.ts'],
    ['cli/appkit/commands/planted.ts', '../../../build/index.ts'],
    ['cli/uri-scheme/planted.ts', 'appkit-build'],
    ['cli/uri-scheme/planted.ts', '../appkit/command-error.ts'],
    ['conformance/planted.ts', '../runtime/handler.ts'],
    ['conformance/planted.ts', 'appkit-server'],
    ['conformance/suite/planted.ts', '../../adapters/node/index.ts'],
    ['examples/hello/planted.ts', '../../runtime/index.ts'],
    ['auth/session/planted.ts', 'node:fs'],
    ['auth/session/planted.ts', '../../runtime/index.ts'],
    ['auth/session/planted.ts', 'appkit-server'],
    ['auth/session/planted.ts', 'jose'],
    ['auth/session/sealed-text.ts', 'express'],
    ['runtime/http/planted.ts', 'cookie'],
    ['runtime/http/cookie-text.ts', 'jose'],
    ['runtime/http/sealed-value.ts', 'cookie'],
    ['adapters/_postgres/planted.ts', 'pg-boss'],
    ['adapters/_postgres/boss.ts', 'pg'],
    ['adapters/_sqs/planted.ts', '@aws-sdk/client-sqs'],
    ['adapters/_sqs/client.ts', 'sqs-consumer'],
    ['adapters/aws-lambda/planted.ts', 'yaml'],
    ['adapters/aws-lambda/template-yaml.ts', '../../runtime/host.ts'],
    ['adapters/vercel/planted.ts', '@vercel/queue'],
    ['adapters/_jobs/planted.ts', 'croner'],
    ['adapters/_jobs/cron.ts', '../../runtime/host.ts'],
    ['auth/crypto/planted.ts', 'express'],
    ['auth/web-browser/planted.ts', 'react-native'],
    ['auth/web-browser/react-native-platform.ts', 'express'],
    ['router/planted.tsx', 'node:fs'],
    ['router/planted.tsx', 'appkit-server'],
    ['router/planted.ts', '../runtime/routing/match.ts'],
  ];
  for (const [file, imported] of refused) {
    it(`${file} importing ${imported}`, () => {
      const { passes, output } = lint(file, importing(imported));
      expect(output).toContain('no-restricted-imports');
      expect(passes).toBe(false);
    });
  }
});

describe('an import within its boundary passes', () => {
  const accepted: [file: string, source: string][] = [
    ['runtime/planted.ts', importing('node:async_hooks')],
    ['runtime/planted.ts', importing('./routing/match.ts')],
    ['runtime/http/planted.ts', importing('../routing/match.ts')],
    ['runtime/http/planted.ts', importing('../manifest.ts')],
    ['adapters/bun/planted.ts', importing('../../runtime/host.ts')],
    ['adapters/bun/planted.ts', importing('../_http/options.ts')],
    ['adapters/bun/planted.ts', importing('node:fs')],
    ['adapters/node/emulator.ts', importing('./template.json')],
    ['build/planted.ts', "import type { Manifest } from 'appkit-server/manifest';\nexport type Planted = Manifest;"],
    ['build/planted.ts', importing('rolldown')],
    ['build/site/planted.ts', importing('../problem.ts')],
    ['build/bundle/plugins/planted.ts', importing('../../problem.ts')],
    ['cli/appkit/planted.ts', importing('appkit-server/adapter/node')],
    ['cli/uri-scheme/planted.ts', importing('node:fs/promises')],
    ['cli/uri-scheme/planted.ts', importing('saxes')],
    ['conformance/planted.ts', importing('node:net')],
    ['auth/session/planted.ts', importing('appkit-crypto')],
    ['auth/session/planted.ts', importing('./pkce.ts')],
    ['auth/session/sealed-text.ts', importing('jose')],
    ['runtime/http/cookie-text.ts', importing('cookie')],
    ['runtime/http/sealed-value.ts', importing('jose')],
    ['adapters/_postgres/boss.ts', importing('pg-boss')],
    ['adapters/_sqs/client.ts', importing('@aws-sdk/client-sqs')],
    ['adapters/aws-lambda/template-yaml.ts', importing('yaml')],
    ['adapters/vercel/job-queue.ts', importing('@vercel/queue')],
    ['adapters/_jobs/cron.ts', importing('croner')],
    ['auth/web-browser/react-native-platform.ts', importing('react-native')],
    ['auth/crypto/js-digest.ts', importing('@noble/hashes/sha2.js')],
    ['router/planted.ts', importing('appkit-server/match')],
    ['router/planted.tsx', importing('devalue')],
    ['router/planted.native.ts', importing('react-native')],
  ];
  for (const [file, source] of accepted) {
    it(`${file}: ${source.split('\n')[0]}`, () => {
      expect(lint(file, source).output).not.toContain('no-restricted-imports');
    });
  }
});

describe('a circle of imports is refused, even if it consists only of types', () => {
  for (const imported of ['import type { Far }', 'import { type Far }', 'export type { Far }']) {
    it(`by ${imported}`, () => {
      lint('build/site/far.ts', "import type { Near } from '../near.ts';\nexport type Far = Near[];");
      const near = `${imported} from './site/far.ts';\nexport type Near = string${imported.startsWith('import') ? ' | Far' : ''};`;
      const { passes, output } = lint('build/near.ts', near);
      expect(output).toContain('no-cycle');
      expect(passes).toBe(false);
    });
  }
});

it('node:path is imported in only one way', () => {
  expect(
    lint('build/planted.ts', "import { join } from 'node:path';\nexport const used: unknown = join;").output,
  ).toContain('unicorn(import-style)');
  expect(
    lint('build/planted.ts', "import path from 'node:path';\nexport const used: unknown = path.join;").output,
  ).not.toContain('import-style');
});
