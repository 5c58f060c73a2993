import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { AppConfig } from '../config/app-config.ts';
import { parseJson } from '../packages/parse-json.ts';
import type { ApiInfo } from './create-document.ts';

/** What a document says about an app: its package's name, version and description, its URL, and how callers may authenticate. */
export async function readApiInfo(
  projectRoot: string,
  { origin, base, securitySchemes }: Pick<AppConfig, 'origin' | 'base' | 'securitySchemes'>,
): Promise<ApiInfo> {
  const text = await readFile(path.join(projectRoot, 'package.json'), 'utf8').catch(() => '{}');
  const manifest = parseJson(text) as Record<string, unknown>;
  const read = (key: string): string | undefined =>
    typeof manifest[key] === 'string' && manifest[key] !== '' ? manifest[key] : undefined;
  const description = read('description');
  const server = origin === undefined ? base : `${origin.replace(/\/$/, '')}${base ?? ''}`;
  return {
    title: read('name') ?? path.basename(projectRoot),
    version: read('version') ?? '0.0.0',
    ...(description !== undefined && { description }),
    ...(server !== undefined && { server }),
    ...(securitySchemes && { securitySchemes }),
  };
}
