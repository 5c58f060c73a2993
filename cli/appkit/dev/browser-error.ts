import { SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';
import type { DevEnvironment } from 'vite';
import { VITE_BASE } from './vite-base.ts';

/** A line of a stack, as browsers write it: `at Page (http://localhost:8081/…/page.tsx?t=1:5:9)`, or `Page@http://…:5:9`. */
const FRAME = /^\s*(?:at )?(.*?)[ (@]*(https?:\/\/\S+):(\d+):(\d+)\)?$/;

/**
 * Converts an error sent by a browser: its stack then names the sources. Only modules that were served to the browser
 * are looked up, because a client could name any file.
 */
export async function toSourceError(sent: unknown, environment: DevEnvironment): Promise<Error> {
  const { name, message, stack } = Object(sent) as Record<string, unknown>;
  const frames = await Promise.all(
    String(stack)
      .split('\n')
      .map((line) => toSourceFrame(line, environment)),
  );
  const error = new Error(String(message));
  error.name = String(name);
  error.stack = [`${error.name}: ${error.message}`, ...frames.flat()].join('\n');
  return error;
}

async function toSourceFrame(text: string, { moduleGraph, depsOptimizer }: DevEnvironment): Promise<string[]> {
  const [, name, location = '', line, column] = FRAME.exec(text) ?? [];
  if (!URL.canParse(location)) return [];
  const { pathname, search } = new URL(location);
  if (!pathname.startsWith(VITE_BASE)) return [];
  const module = await moduleGraph.getModuleByUrl(`/${decodeURI(pathname.slice(VITE_BASE.length))}${search}`);
  const map = module?.transformResult?.map;
  if (!module?.file || depsOptimizer?.isOptimizedDepFile(module.file) || !map || !('version' in map)) return [];
  const entry = new SourceMap(map as unknown as SourceMapPayload).findEntry(Number(line) - 1, Number(column) - 1);
  if (!('originalLine' in entry)) return [];
  const place = `${module.file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return [name ? `    at ${name} (${place})` : `    at ${place}`];
}
