import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createSite } from '../build/fixtures/create-site.ts';
import { exportApp } from '../build/index.ts';

/** A page with a link, which includes all of the navigation code. */
const HELLO = `import { Link } from 'appkit-router';
export default function Hello() {
  return <h1>Hello <Link href="/">home</Link></h1>;
}
`;

/**
 * Exports an app with one page. Returns the size in bytes, each file gzipped, of the JavaScript that its document
 * loads.
 */
export async function sizeOfHelloPage(): Promise<number> {
  const projectRoot = await createSite({
    'app.json': '{ "web": { "output": "static" } }',
    'app/index.tsx': HELLO,
  });
  const { outputDir } = await exportApp({ projectRoot });
  const read = (name: string): Buffer => readFileSync(path.join(outputDir, 'client', name));
  const urls = [
    ...read('index.html')
      .toString()
      .matchAll(/(?:src|href)="(\/[^"]+\.js)"/g),
  ].map(([, url = '']) => url);
  return [...new Set(urls)].reduce((sum, url) => sum + gzipSync(read(url)).byteLength, 0);
}
