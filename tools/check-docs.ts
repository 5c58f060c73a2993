/**
 * `npm run packages`, fifth part: installs examples/docs from the packed tarballs outside the repository, exports it,
 * checks the HTML and its links, and opens it in Chromium. Then runs `npm start -- docs`.
 *
 * With `--screenshot`, writes the pictures of the README as well.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HtmlValidate } from 'html-validate';
import { startBrowser } from '../auth/fixtures/browser.ts';
import { serverEnvironment } from '../conformance/command.ts';
import { startServer } from '../conformance/server-process.ts';
import { startChecks } from './checks.ts';
import { findMissingApiPages } from './docs/api-pages.ts';
import { browserChecks, takeScreenshots } from './docs/browser.ts';
import { readHtmlFiles } from './docs/html-files.ts';
import { findPoorDescriptions } from './docs/descriptions.ts';
import { findBrokenLinks, findLinks } from './docs/links.ts';
import { readSearchPlaces } from './docs/search-places.ts';
import { packPackages } from './pack.ts';
import { createProject } from './project.ts';
import { runCommand } from './run-command.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '..');
const EXAMPLE = path.join(REPOSITORY, 'examples/docs');
const READY = /^Serving .* at (http:\S+)\n/m;

/** What only the build needs, and a text that reveals it. */
const BUILD_ONLY = {
  marked: { file: 'lib/marked.esm.js', text: 'Please report this to https://github.com/markedjs/marked' },
  'github-slugger': { file: 'index.js', text: 'occurrences' },
  'comment-parser': { file: 'es6/parser/index.js', text: 'compact' },
  '@shikijs/langs': { file: 'dist/typescript.mjs', text: 'source.ts' },
};

const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-docs-'));
const browser = await startBrowser();
try {
  const tarballs = await packPackages(path.join(scratch, 'tarballs'));
  // In the same layout as in the repository: the example reads ../../docs.
  const project = path.join(scratch, 'examples/docs');
  await cp(path.join(REPOSITORY, 'docs'), path.join(scratch, 'docs'), { recursive: true });
  await createProject({ from: EXAMPLE, into: project, tarballs, omitDev: false });
  const run = (script: string, env = {}): Promise<string> =>
    runCommand(['npm', 'run', script], { cwd: project, env: { ...serverEnvironment, ...env } });
  await checks.run('the example type-checks', () => run('types'));

  const client = path.join(project, 'dist/client');
  const repository = 'https://code.example/appkit/blob/main';
  await checks.run('links into the repository lead to where APPKIT_PUBLIC_REPOSITORY says', async () => {
    await run('build', { APPKIT_PUBLIC_REPOSITORY: `${repository}/` });
    const links = (await readHtmlFiles(client)).flatMap(findLinks).filter((href) => href.startsWith(repository));
    assert.ok(links.includes(`${repository}/docs/auth-compared.md`), links.join('\n'));
  });
  await checks.run('each page of the guide has a link that edits it there', async () => {
    const guide = (await readHtmlFiles(client)).filter(({ pathname }) => pathname.startsWith('/guide/'));
    const edit = repository.replace('/blob/', '/edit/');
    const without = guide.filter((file) => !findLinks(file).includes(`${edit}/docs${file.pathname}.md`));
    assert.deepEqual(
      without.map(({ pathname }) => pathname),
      [],
    );
  });
  await checks.run('without it they are the paths of the files', async () => {
    await run('build');
    const files = await readHtmlFiles(client);
    assert.ok(!files.some(({ html }) => html.includes(repository)));
    const signIn = files.find(({ pathname }) => pathname === '/guide/sign-in');
    assert.ok(signIn?.html.includes('(<code>docs/auth-compared.md</code>)'));
  });

  const files = await readHtmlFiles(client);
  const pathnames = files.map(({ pathname }) => pathname).filter((pathname) => pathname !== '/404');
  await checks.run('every page of docs/guide is a page of the site', async () => {
    const names = await readdir(path.join(REPOSITORY, 'docs/guide'));
    const missing = names.filter((name) => !pathnames.includes(`/guide/${path.basename(name, '.md')}`));
    assert.deepEqual(missing, []);
  });
  await checks.run('every package that exports something has a page of the API', async () => {
    assert.deepEqual(findMissingApiPages(pathnames), []);
  });
  await checks.run('the guide begins with Getting started', async () => {
    const guide = files.find(({ pathname }) => pathname === '/guide');
    const first = guide && findLinks(guide).find((href) => href.startsWith('/guide/'));
    assert.equal(first, '/guide/getting-started');
  });
  await checks.run('every page has a meaningful description', async () => {
    assert.deepEqual(findPoorDescriptions(files), []);
  });
  await checks.run('every page shows the version it describes', async () => {
    const { version } = JSON.parse(await readFile(path.join(REPOSITORY, 'runtime/package.json'), 'utf8')) as {
      version: string;
    }; // npm has just packed it
    const without = files.filter(({ html }) => !html.includes(`appkit <!-- -->${version}`));
    assert.deepEqual(
      without.map(({ pathname }) => pathname),
      [],
    );
  });
  await checks.run(`the HTML of ${files.length} pages is valid`, () => assertValid(client));
  await checks.run('every link within the site has a target', async () => {
    assert.ok(files.flatMap(findLinks).length > 100, 'The site has hardly any links.');
    assert.deepEqual(findBrokenLinks(files, client), []);
  });
  await checks.run('every place that the search finds exists', async () => {
    const places = await readSearchPlaces(client);
    assert.ok(places.length > 100, 'The search finds hardly any places.');
    const html = places.map((href) => `<a href="${href}">`).join('');
    const search = { name: 'search.html', pathname: '/search', html };
    assert.deepEqual(findBrokenLinks([...files.filter(({ pathname }) => pathname !== '/search'), search], client), []);
  });
  await checks.run('build-only code is not in the client', () => assertNotIn(client, project));

  const appkit = path.join(project, 'node_modules/.bin/appkit');
  const command = [appkit, 'serve', '--port', '0', '--host', '127.0.0.1'] as const;
  const server = await startServer({ command, folder: project, env: serverEnvironment, ready: READY });
  const docs = { origin: server.origin, pathnames, browser };
  for (const [what, check] of Object.entries(browserChecks)) await checks.run(what, () => check(docs));
  if (process.argv.includes('--screenshot')) await takeScreenshots(docs, EXAMPLE);
  await server.stop();
} finally {
  await browser.close();
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();

async function assertValid(folder: string): Promise<void> {
  const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
  const { results } = await validator.validateMultipleFiles(
    (await readHtmlFiles(folder)).map(({ name }) => path.join(folder, name)),
  );
  const messages = results.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, message, line }) => `${filePath}:${line} ${ruleId}: ${message}`),
  );
  assert.deepEqual(messages.slice(0, 20), []);
}

async function assertNotIn(client: string, project: string): Promise<void> {
  const names = (await readdir(client, { recursive: true })).filter((name) => name.endsWith('.js'));
  const scripts = await Promise.all(names.map((name) => readFile(path.join(client, name), 'utf8')));
  assert.ok(scripts.length > 0);
  for (const [name, { file, text }] of Object.entries(BUILD_ONLY)) {
    const source = await readFile(path.join(project, 'node_modules', name, file), 'utf8');
    assert.ok(source.includes(text), `${name} has no ${JSON.stringify(text)} any more. Choose another text.`);
    assert.ok(!scripts.some((script) => script.includes(text)), `${name} is in the client.`);
  }
}
