import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareWith } from './behaviour.ts';
import type { HostBehaviour } from './behaviour.ts';
import { declareWith as declareGenericWith, describeReason } from './generic/behaviour.ts';

/** A behaviour, and where it is written. */
export interface TopicBehaviour extends HostBehaviour {
  /** Its file in suite/ or generic/behaviours/, without the extension. */
  topic: string;
  /** Whether any server can be asked for it. */
  isGeneric: boolean;
}

const SUITE = path.join(import.meta.dirname, 'suite');
const GENERIC = path.join(import.meta.dirname, 'generic/behaviours');

/** The names of all topics. Both folders may have a file for a topic. */
export function listTopics(): string[] {
  return [...new Set([SUITE, GENERIC].flatMap((folder) => readdirSync(folder).map(toTopic)))].toSorted();
}

let loaded: Promise<readonly TopicBehaviour[]> | undefined;

/** All behaviours, topic by topic, in the order in which they are written. */
export function loadBehaviours(): Promise<readonly TopicBehaviour[]> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<readonly TopicBehaviour[]> {
  const found: TopicBehaviour[] = [];
  for (const folder of [SUITE, GENERIC]) {
    for (const file of readdirSync(folder).toSorted()) {
      const where = { topic: toTopic(file), isGeneric: folder === GENERIC };
      declareWith((behaviour) => found.push({ ...where, ...behaviour }));
      declareGenericWith(({ name, reason, needsPlainErrors, run }) => {
        const needs = needsPlainErrors ? (['plainErrors'] as const) : [];
        found.push({ ...where, name, source: describeReason(reason), needs, run });
      });
      await import(pathToFileURL(path.join(folder, file)).href);
    }
  }
  return found;
}

function toTopic(file: string): string {
  return path.basename(file, '.ts');
}
