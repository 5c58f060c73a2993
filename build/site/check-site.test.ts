import { expect, it } from 'vitest';

import { exportProblems } from '../fixtures/create-project.ts';

const PAGE = 'export default function Page() { return null; }\n';
const LOADER = `${PAGE}export const loader = () => 1;\n`;

const check = async (output: string, files: Record<string, string>): Promise<string[]> =>
  (await exportProblems({ 'app.json': JSON.stringify({ web: { output } }), ...files })).map(
    ({ file, message, fix }) => `${file}: ${message} ${fix}`,
  );

it('refuses layouts and documents that cannot be rendered, and what they would never be asked for', async () => {
  const files = {
    'app/index.tsx': PAGE,
    'app/_layout.tsx': 'export const Layout = 1;\n',
    'app/+html.tsx': 'export const loader = () => 1;\n',
    'app/(group)/_layout.tsx': LOADER,
    'app/(group)/other.tsx': PAGE,
  };
  expect(await check('server', files)).toEqual([
    'app/(group)/_layout.tsx: It exports loader, which only pages have: nothing would call it. Move it to the page.',
    'app/+html.tsx: It exports loader, which only pages have: nothing would call it. Move it to the page.',
    'app/+html.tsx: It is around pages, and has no default export. Export the component as default.',
    'app/_layout.tsx: It is around pages, and has no default export. Export the component as default.',
  ]);
});

it('refuses what needs a server where there is none', async () => {
  const files = { 'app/index.tsx': PAGE, 'app/+not-found.tsx': LOADER, 'app/[id]/+not-found.tsx': PAGE };
  expect(await check('static', { ...files, 'app/[id]/index.tsx': PAGE })).toEqual([
    'app/+not-found.tsx: It has a loader, which runs on a server for each request, and with web.output "static" there is none. Set web.output to "server", or fetch the data in the component.',
    'app/[id]/+not-found.tsx: Its path /[id] has parameters, and it does not list what they can be. Move it to a folder without parameters, or set web.output to "server" to render it on request.',
    'app/[id]/index.tsx: Its path /[id] has parameters, and it does not list what they can be. Export generateStaticParams, or set web.output to "server" to render it on request.',
  ]);
  expect(await check('single', { ...files, 'app/index.tsx': LOADER })).toEqual([
    'app/+not-found.tsx: It has a loader, which runs on a server for each request, and with web.output "single" there is none. Set web.output to "server", or fetch the data in the component.',
    'app/index.tsx: It has a loader, which runs on a server for each request, and with web.output "single" there is none. Set web.output to "server" or "static", or fetch the data in the component.',
  ]);
});
