import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareWith } from '../behaviour.ts';
import type { Behaviour } from '../behaviour.ts';

/** A behaviour, and its file in behaviours/, without the extension. */
export interface TopicBehaviour extends Behaviour {
  topic: string;
}

const folder = path.join(import.meta.dirname, '../behaviours');

/** The topics there are. */
export function topics(): string[] {
  const names = readdirSync(folder).flatMap((file) => /^([\w-]+)\.[jt]s$/.exec(file)?.[1] ?? []);
  return names.toSorted();
}

let loaded: Promise<readonly TopicBehaviour[]> | undefined;

/** All behaviours, by topic. */
export function loadBehaviours(): Promise<readonly TopicBehaviour[]> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<readonly TopicBehaviour[]> {
  const found: TopicBehaviour[] = [];
  for (const topic of topics()) {
    declareWith((behaviour) => found.push({ ...behaviour, topic }));
    await import(pathToFileURL(path.join(folder, topic + path.extname(import.meta.filename))).href);
  }
  return found;
}
