import type { ExportedApp } from './find-build.ts';

/** The messages of a worker to the process that started it. */
export type WorkerMessage =
  | { appkit: 'ready' }
  | { appkit: 'listening' }
  | { appkit: 'failed'; message: string; fix: string; exitCode: number }
  | { appkit: 'draining'; ms: number }
  | { appkit: 'stopping'; runningRequests: number }
  | { appkit: 'late' };

/** The messages to a worker. */
export type PrimaryMessage =
  | { appkit: 'start'; port: number; app: ExportedApp }
  | { appkit: 'drain' }
  | { appkit: 'stop' };

/** Whether a message is one of ours: the app's code may send others. */
export function isOwnMessage(message: unknown): message is WorkerMessage | PrimaryMessage {
  return typeof message === 'object' && message !== null && 'appkit' in message;
}
