import type { DevelopmentBundle } from 'appkit-build/development';

/** Where the routes of an app can run in development, beside the process of `appkit start` itself. */
export const DEV_HOSTS = ['bun', 'cloudflare', 'deno'] as const;

/** One of {@link DEV_HOSTS}. */
export type DevHostName = (typeof DEV_HOSTS)[number];

/** What the code in the host is told, as JSON. */
export interface HostSettings {
  /** Marks what the code in the host says to us. */
  mark: string;
  /** Where pages are rendered, without a slash at the end. */
  pagesUrl: string;
  /** Whether the browser speaks HTTPS to us, who tell of it by X-Forwarded-Proto. */
  isSecure: boolean;
}

/** What runs the server build of an app in the runtime of a host. */
export interface HostRunner {
  name: DevHostName;
  /** The names of files in the project that the host reads itself: when one changes, it is started again. */
  configFiles: readonly string[];
  /** One of these files has changed. */
  forgetConfig(): void;
  /** Runs a server build in place of the one before. */
  run(bundle: DevelopmentBundle): Promise<RunningBuild>;
  /** Ends everything. */
  close(): Promise<void>;
}

/** A server build that is running. */
export interface RunningBuild {
  /** Where it answers: on this machine, by HTTP. */
  url: URL;
  /** The folder by which it names its files in stacks. */
  root: string;
  /** Whether it has ended by itself. */
  hasEnded(): boolean;
  /** Nobody asks it any more. */
  release(): void;
}

/** What a runner is made with. */
export interface RunnerOptions {
  projectRoot: string;
  settings: HostSettings;
  /** The variables that `appkit start` has read from files: a Worker has none of this process. */
  variables: Readonly<Record<string, string>>;
  /** Called with each line that the code of the app prints. */
  onLine(line: string): void;
}
