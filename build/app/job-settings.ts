import type { ManifestJob, ManifestSchedule } from 'appkit-server/manifest';
import { parseSync } from 'rolldown/utils';
import type { ESTree, ParseResult } from 'rolldown/utils';

import { findExportedValue } from './exported-value.ts';
import { readProperty, toLiteral } from './literals.ts';

/** The settings of a job that its source shows. */
export type ShownSettings = Omit<ManifestJob, 'name' | 'file'>;

const UNKNOWN: ShownSettings = {
  schedule: 'unknown',
  attempts: 'unknown',
  timeoutMs: 'unknown',
  concurrency: 'unknown',
};

/**
 * Reads the settings of a job that are written as literals, only in a direct call of `defineJob()`: a function around
 * it may add others.
 */
export function readJobSettings({ file, source }: { file: string; source: string }): ShownSettings {
  const parsed = parseSync(file, source);
  const call = findExportedValue(parsed, 'default');
  if (call?.type !== 'CallExpression' || !isDefineJob(parsed.module, call.callee)) return UNKNOWN;
  const [definition] = call.arguments;
  const schedule = readSchedule(definition);
  const retry = readProperty(definition, 'retry');
  const attempts = typeof retry === 'object' ? readNumber(retry, 'attempts') : retry;
  const settings = {
    schedule,
    attempts,
    timeoutMs: readNumber(definition, 'timeoutMs'),
    concurrency: readNumber(definition, 'concurrency'),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== 'absent')) as ShownSettings;
}

function isDefineJob({ staticImports }: ParseResult['module'], callee: ESTree.Node): boolean {
  if (callee.type !== 'Identifier') return false;
  return staticImports
    .filter(({ moduleRequest }) => moduleRequest.value === 'appkit-server/jobs')
    .some(({ entries }) =>
      entries.some(({ importName, localName }) => importName.name === 'defineJob' && localName.value === callee.name),
    );
}

function readNumber(object: ESTree.Node | undefined, name: string): number | 'absent' | 'unknown' {
  const node = readProperty(object, name);
  if (typeof node === 'string') return node;
  const value = toLiteral(node);
  return typeof value === 'number' ? value : 'unknown';
}

function readSchedule(definition: ESTree.Node | undefined): ManifestSchedule | 'absent' | 'unknown' {
  const node = readProperty(definition, 'schedule');
  if (typeof node === 'string') return node;
  const [cron, timeZone, missed] = ['cron', 'timeZone', 'missed'].map((name) => {
    const value = readProperty(node, name);
    return typeof value === 'string' ? value : (toLiteral(value) ?? 'unknown');
  });
  if (typeof cron !== 'string' || cron === 'unknown' || cron === 'absent') return 'unknown';
  if (typeof timeZone !== 'string' || timeZone === 'unknown') return 'unknown';
  if (missed !== 'absent' && missed !== 'skip' && missed !== 'once') return 'unknown';
  return {
    cron: cron.trim().split(/\s+/).join(' '),
    timeZone: timeZone === 'absent' ? 'UTC' : timeZone,
    missed: missed === 'once' ? 'once' : 'skip',
  };
}
