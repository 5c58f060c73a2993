import type { DevelopmentBundle } from 'appkit-build/development';

/** Where the routes of an app can run in development, other than in the process of `appkit start` itself. */
export const DEV_HOSTS = ['bun', 'cloudflare', 'deno'] as const;

/** One of {@link DEV_HOSTS}. */
export type DevHostName = (typeof DEV_HOSTS)[number];

/** The settings for the code in the host, as JSON. */
export interface HostSettings {
  /** Marks the messages of the code in the host to us. */
  mark: string;
  /** The name or address that `appkit start` listens on. */
  host: string;
  /** Where pages are rendered, without a slash at the end. */
  pagesUrl: string;
  /** Whether the browser connects to us by HTTPS, which we pass on as X-Forwarded-Proto. */
  isSecure: boolean;
}

/** Runs the server build of an app in the runtime of a host. */
export interface HostRunner {
  name: DevHostName;
  /** The names of project files that the host itself reads: when one changes, the host is started again. */
  configFiles: readonly string[];
  /** One of these files has changed. */
  forgetConfig(): void;
  /** Runs a server build instead of the previous one. */
  run(bundle: DevelopmentBundle): Promise<RunningBuild>;
  /** Ends everything. */
  close(): Promise<void>;
}

/** A running server build. */
export interface RunningBuild {
  /** Its URL: on this machine, by HTTP. */
  url: URL;
  /** The folder of its files, as named in stacks. */
  root: string;
  /** Whether it has ended by itself. */
  hasEnded(): boolean;
  /** Called when it gets no more requests. Its running jobs go on to their end. */
  release(): void;
  /** Its jobs, if they run in its process. */
  jobs?: RunningJobs | undefined;
}

/** The jobs in the process of a server build. */
export interface RunningJobs {
  /** Begins no more jobs. Resolves once that is certain. Never rejects. */
  pause(): Promise<void>;
  /** Resolves when the process has ended. */
  ended: Promise<unknown>;
}

/** Where the code is that has printed a line or thrown an error. */
export interface BuiltCode {
  /** The folder of the server build, as the host names it in stacks. */
  root: string;
  maps: DevelopmentBundle['maps'];
}

/** The options of a runner. */
export interface RunnerOptions {
  projectRoot: string;
  settings: HostSettings;
  /** The variables that `appkit start` has read from files: a Worker does not get the variables of this process. */
  variables: Readonly<Record<string, string>>;
  /** Called with each line that the app prints, and the code that has printed it. */
  onLine(line: string, code: BuiltCode): void;
}
