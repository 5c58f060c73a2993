import { expect, it } from 'vitest';

import { exportProblems } from '../fixtures/create-project.ts';

const PAGE = 'export default function Page() { return null; }\n';
const LOADER = `${PAGE}export const loader = () => 1;\n`;

const check = async (output: string, files: Record<string, string>): Promise<string[]> =>
  (await exportProblems({ 'app.json': JSON.stringify({ web: { output } }), ...files })).map(
    ({ file, message, fix }) => `${file}: ${message} ${fix}`,
  );

it('refuses layouts and documents that cannot be rendered, and exports that they would never use', async () => {
  const files = {
    'app/index.tsx': PAGE,
    'app/_layout.tsx': 'export const Layout = 1;\n',
    'app/+html.tsx': 'export const loader = () => 1;\n',
    'app/(group)/_layout.tsx': LOADER,
    'app/(group)/other.tsx': PAGE,
  };
  expect(await check('server', files)).toEqual([
    'app/+html.tsx: It exports loader, which only pages and layouts have: nothing would call it. Move it to the page.',
    'app/+html.tsx: It wraps pages but has no default export. Export the component as default.',
    'app/_layout.tsx: It wraps pages but has no default export. Export the component as default.',
  ]);
});

it('refuses what needs a server when there is none', async () => {
  const files = { 'app/index.tsx': PAGE, 'app/+not-found.tsx': LOADER, 'app/[id]/+not-found.tsx': PAGE };
  expect(await check('static', { ...files, 'app/[id]/index.tsx': PAGE })).toEqual([
    'app/+not-found.tsx: It has a loader, which runs on a server for each request, and with web.output "static" there is none. Set web.output to "server", or fetch the data in the component.',
    'app/[id]/+not-found.tsx: Its path /[id] has parameters, and it does not list their values. Move it to a folder without parameters, or set web.output to "server" to render it on request.',
    'app/[id]/index.tsx: Its path /[id] has parameters, and it does not list their values. Export generateStaticParams, or set web.output to "server" to render it on request.',
  ]);
  expect(await check('single', { ...files, 'app/index.tsx': LOADER })).toEqual([
    'app/+not-found.tsx: It has a loader, which runs on a server for each request, and with web.output "single" there is none. Set web.output to "server", or fetch the data in the component.',
    'app/index.tsx: It has a loader, which runs on a server for each request, and with web.output "single" there is none. Set web.output to "server" or "static", or fetch the data in the component.',
  ]);
});

it('refuses a page without JavaScript that is not possible, or does not say so plainly', async () => {
  const still = (value: string): string => `${PAGE}export const hydrate = ${value};\n`;
  expect(await check('single', { 'app/index.tsx': still('false') })).toEqual([
    'app/index.tsx: It sends no JavaScript, and with web.output "single" the client renders every page. Set web.output to "server" or "static", or remove hydrate.',
  ]);
  const files = {
    'app/index.tsx': still('Boolean(0)'),
    'app/_layout.tsx': still('false'),
    'app/fine.tsx': still('true'),
  };
  expect(await check('server', files)).toEqual([
    'app/_layout.tsx: It exports hydrate, which only pages have: nothing would call it. Move it to the page.',
    'app/index.tsx: It exports hydrate, but its value is not a literal. Write export const hydrate = false, or leave it out.',
  ]);
});

it('refuses functions that other frameworks call on their server', async () => {
  const files = {
    'app/index.tsx': `${PAGE}\nexport async function action() {}\n`,
    'app/(group)/_layout.tsx': `${PAGE}export const action = async () => {};\n`,
    'app/(group)/props.tsx': `${PAGE}const read = async () => ({});\nexport { read as getServerSideProps };\n`,
    'app/static.tsx': `${PAGE}export const getStaticProps = async () => ({}), getStaticPaths = () => [];\n`,
    'app/+not-found.tsx': `${PAGE}export { action } from '../lib/action';\n`,
    'app/names.tsx': `${PAGE}export const getServerData = 'save';\nexport type getStaticProps = string;\n`,
  };
  const also =
    'which means nothing here: nothing calls it, and the client would get it with everything that it imports.';
  const problems = await exportProblems({ 'app.json': '{"web":{"output":"static"}}', ...files });
  expect(problems.map(({ file, line, message, fix }) => `${file}:${line}: ${message} ${fix}`)).toEqual([
    `app/(group)/_layout.tsx:2: It exports action, ${also} Move it to a page, which receives its own forms.`,
    `app/(group)/props.tsx:3: It exports getServerSideProps, ${also} Export loader(request, params) instead, and read what it returns with useLoaderData().`,
    `app/+not-found.tsx:2: It exports action, ${also} Move it to a page, which receives its own forms.`,
    'app/index.tsx:undefined: It has an action, which runs on a server, and with web.output "static" there is none. Set web.output to "server", or send the form to another server.',
    `app/static.tsx:2: It exports getStaticProps, ${also} Export loader(request, params) instead, and read what it returns with useLoaderData(). With web.output "static" it runs once, at the export.`,
    `app/static.tsx:2: It exports getStaticPaths, ${also} Export generateStaticParams instead, which returns the parameters of each page.`,
  ]);
});

it('refuses functions that other frameworks keep on their server', async () => {
  const inline = `export default function Page() {\n  const save = async () => {\n    'use server';\n  };\n  return save;\n}\n`;
  const files = {
    'app/index.tsx': inline,
    'app/all.tsx': `'use server';\n${PAGE}`,
    'app/fine.tsx': `${PAGE}export const text = 'use server';\nexport function loader() {\n  'use server';\n}\n`,
  };
  expect(await check('server', files)).toEqual([
    "app/all.tsx: 'use server' means nothing here: the module would be in the client, with everything that it imports. Move the code into a route, which the page calls with fetch, or into a loader.",
    "app/index.tsx: 'use server' means nothing here: the module would be in the client, with everything that it imports. Move the code into a route, which the page calls with fetch, or into a loader.",
  ]);
});
