import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareWith } from './behaviour.ts';
import type { HostBehaviour } from './behaviour.ts';
import { describeReason } from './generic/behaviour.ts';
import { loadBehaviours as loadGenericBehaviours, topics as listGenericTopics } from './generic/tool/topics.ts';

/** A behaviour, and where it is written. */
export interface TopicBehaviour extends HostBehaviour {
  /** Its file in suite/ or generic/behaviours/, without the extension. */
  topic: string;
  /** Whether any server can be asked for it. */
  isGeneric: boolean;
}

const SUITE = path.join(import.meta.dirname, 'suite');

/** The names of all topics. Both folders may have a file for a topic. */
export function listTopics(): string[] {
  return [...new Set([...listSuiteTopics(), ...listGenericTopics()])].toSorted();
}

let loaded: Promise<readonly TopicBehaviour[]> | undefined;

/** All behaviours, topic by topic, in the order in which they are written. */
export function loadBehaviours(): Promise<readonly TopicBehaviour[]> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<readonly TopicBehaviour[]> {
  const found: TopicBehaviour[] = [];
  for (const topic of listSuiteTopics()) {
    declareWith((behaviour) => found.push({ topic, isGeneric: false, ...behaviour }));
    await import(pathToFileURL(path.join(SUITE, `${topic}.ts`)).href);
  }
  const generic = (await loadGenericBehaviours()).map(({ topic, name, reason, needsPlainErrors, run }) => {
    const needs = needsPlainErrors ? (['plainErrors'] as const) : [];
    return { topic, isGeneric: true, name, source: describeReason(reason), needs, run };
  });
  return [...found, ...generic];
}

function listSuiteTopics(): string[] {
  return readdirSync(SUITE)
    .map((file) => path.basename(file, '.ts'))
    .toSorted();
}
