import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../run-command.ts';

const CONSUMER = `import http from 'node:http';
import { environment, origin, runTask, StatusError } from 'appkit-server';
import { contract } from 'appkit-server/contract';
import type { ServerBuild } from 'appkit-server/manifest';
import { createRequestHandler as forBun } from 'appkit-server/adapter/bun';
import { createRequestHandler as forExpress } from 'appkit-server/adapter/express';
import { createRequestHandler as forNode } from 'appkit-server/adapter/node';

declare const build: ServerBuild;
http.createServer(forNode({ build, onError: (error, request) => console.error(error, request.url) }));
const answer: Response | Promise<Response> = forBun({ build: 'dist/server', trustProxy: 1 })(new Request('http://app.test'));
const drained: Promise<void> = forExpress({ build: new URL('file:///app/dist/server') }).drain();
export const GET = (): Response => {
  const place: string | null = origin() ?? environment();
  runTask(async () => {});
  if (!place) throw new StatusError(422, { field: place });
  return new Response(place);
};
export const PUT = contract({ summary: 'Put' }, (request, { path }) => new Response(path['id'] ?? request.url));
export { answer, drained };
`;

// With the matching `module` option.
const RESOLUTIONS = { nodenext: 'nodenext', bundler: 'esnext' } as const;

/**
 * Type-checks a program that uses all entries of appkit-server.
 *
 * @param folder – where appkit-server, TypeScript and Node's types are installed.
 * @throws Error with what the compiler said.
 */
export async function checkConsumerTypes(folder: string, resolution: keyof typeof RESOLUTIONS): Promise<void> {
  const cwd = path.join(folder, resolution);
  await mkdir(cwd);
  await writeFile(path.join(cwd, 'consumer.ts'), CONSUMER);
  const flags = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023', '--types', 'node'];
  const modules = ['--module', RESOLUTIONS[resolution], '--moduleResolution', resolution];
  await runCommand([path.join(folder, 'node_modules/.bin/tsc'), ...flags, ...modules, 'consumer.ts'], { cwd });
}
