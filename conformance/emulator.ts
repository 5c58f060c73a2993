/**
 * What the `emulator.ts` of a host tells the suite: how to run this host for real, and what it is known not to do. An
 * emulator is data and a command line. It imports only these types from this repository.
 */
export interface Emulator {
  /** The name in the table of docs/hosts.md and after `--host`, in kebab case: `express`, `express-4`. */
  name: string;
  /** Its title in the head of the table: `Express 5.3.0, mounted at /sub`. */
  title: string;
  /**
   * Whether it is one of our commands, run in the app's folder with the app's own packages: on the app's sources, or on
   * its export. Default: a separate server, made from a template.
   */
  cli?: 'sources' | 'export';
  /** npm packages that the server needs besides appkit-server, with exact versions. */
  dependencies: Record<string, string>;
  /** The argument of `appkit init --host`, which writes a template's files next to `dist/`. Default: the name. */
  template?: string;
  /** Folders, relative to the adapter's, whose files are then copied there: `['emulator']`. */
  files: readonly string[];
  /** Command and arguments that start the server there. The variable `PORT` contains the port to listen on. */
  command: readonly [string, ...string[]];
  /**
   * The same for a server that passes the JSON in `APPKIT_OPTIONS` to the adapter as options, with an `onError` that
   * prints `onError: <method> <url>: <message>`. It then throws when `APPKIT_ON_ERROR` is `throw`, and returns a 503
   * with the JSON `{ told: <message> }` when it is `answer`. Absent if the adapter cannot be given options: behaviours
   * that need them are not applicable.
   */
  commandWithOptions?: readonly [string, ...string[]];
  /**
   * Variables for the process in addition to those of the suite. `APPKIT_DATABASES` names a file next to `dist/` in
   * which the server writes the address of its PostgreSQL: the suite starts other servers with `DATABASE_URL`, each
   * with its own database there. `APPKIT_DEAD_JOBS` is a path of the server with options, which answers `?id=` with
   * `{ id, attempt, error }` of a dead job, or `null`. Default: `appkit jobs` is used.
   */
  env?: Record<string, string>;
  /** Whether the apps are exported with the option strictFetch, which leaves out the light Request and Response. */
  strictFetch?: boolean;
  /** Where the app is mounted, such as `/sub`. Default: at the root. */
  basePath?: string;
  /**
   * A folder, relative to the adapter's, with `package.json` and `package-lock.json` of the host's own tools. The suite
   * installs it on first use, outside the repository's dependencies. Commands find its programs on `PATH`, and its
   * packages below the folder named by `APPKIT_TOOLS`. Several emulators may name the same folder.
   */
  tools?: string;
  /** Commands run in the folder of each app before the first start, such as the host's own build. */
  prepare?: readonly (readonly [string, ...string[]])[];
  /** A command that proves the host's tool is there, and what its output must match. */
  tool: { command: readonly [string, ...string[]]; expected: RegExp };
  /** Matches the line the server prints when it accepts connections; its first group is the URL. */
  ready: RegExp;
  /** Whether it is a second opinion on a host that already has an emulator: only the behaviours of smoke.ts are run. */
  isSecondOpinion?: boolean;
  /** How `npm run test:attack` attacks this host. Default: not at all. */
  attack?: AttackPlan;
  /** The files of the suite that this second opinion runs instead. */
  topics?: readonly string[];
  /** Features this host does not have. Behaviours that need them do not apply to it and are not run. */
  lacks?: readonly Lack[];
  /** Features that only this host has. Their behaviours run on no other host. */
  extras?: readonly Extra[];
  /** Behaviours this host cannot show. Each still runs and must fail, until it no longer does. */
  gaps: readonly Gap[];
}

/** How `npm run test:attack` attacks a host. */
export interface AttackPlan {
  /**
   * `server`: our code receives requests as they were sent, so every case is played. `function`: the platform parses
   * them and is not ours to attack, so only bodies that a route leaves half-read are played.
   */
  kind: 'server' | 'function';
  /**
   * Whether the server is one of `node:http`: it continues reading after a response, and has time-outs that the test
   * lowers.
   */
  isNodeHttp?: boolean;
  /** Whether the function is called with the entire body, so that there are no partial bodies. */
  hasWholeBodies?: boolean;
  /** Whether `--soak` puts it under load. */
  isSoaked?: boolean;
  /** How many bytes the heap may differ by chance between two rounds of attacks. Default: 64 KiB. */
  heapNoiseBytes?: number;
  /** The share of cases that the app has to answer, by subject, if this host refuses more than others do. */
  answeredShare?: Readonly<Record<string, number>>;
}

/**
 * What a behaviour may need and a host may lack, because it would mean nothing there: `trustProxy`, the option for a
 * server behind proxies of its user; `shutdown`, a process that its user stops; `ownFiles`, files that our code serves,
 * or a server of the platform's own that runs here; `exportedFiles`, the files of an export; `plainErrors`, a 500 that
 * tells the client nothing; `compression`, answers that nothing in front compresses; `sharedCache`, a cache of the
 * server's own in front of the app; `ownBase`, a path below the root of the host that the app chooses; `ownFetch`, code
 * with a `fetch` of its own in place of an app; `jobs`, an engine that stores jobs and runs them; `jobKeys`, an engine
 * that knows keys; `jobCommands`, `appkit jobs`; `jobsAtOnce`, several jobs that run at the same time.
 */
export type Need =
  | 'trustProxy'
  | 'shutdown'
  | 'ownFiles'
  | 'exportedFiles'
  | 'plainErrors'
  | 'compression'
  | 'sharedCache'
  | 'ownBase'
  | 'ownFetch'
  | 'jobs'
  | 'jobKeys'
  | 'jobCommands'
  | 'jobsAtOnce';

/**
 * Extras that only some hosts have: `bindings`, objects that the platform gives the server; `bodyShapes`, bodies that
 * the platform has read before, in the shape named by `APPKIT_BODY_SHAPE`; `mounted`, a framework around the app with a
 * route `/own`.
 */
export type Extra = 'bindings' | 'bodyShapes' | 'mounted';

/** A feature that a host does not have. */
export interface Lack {
  what: Need;
  /** Why it would mean nothing on this host. */
  reason: string;
  /** The host's documentation that says so. */
  link: string;
}

/** Gaps with the same cause, and each behaviour's failure. */
export function gapsOf(reason: string, link: string, behaviours: Readonly<Record<string, Gap['fails']>>): Gap[] {
  return Object.entries(behaviours).map(([behaviour, fails]) => ({ behaviour, fails, reason, link }));
}

/** One behaviour that a host is known to lack. */
export interface Gap {
  /** The exact name of the behaviour in the suite. */
  behaviour: string;
  /**
   * The failure of the behaviour, so that no other failure passes for this gap: the message of its error, or that it
   * still waits while the host answers other requests.
   */
  fails: RegExp | 'time-out';
  /** Why this host cannot do it. */
  reason: string;
  /** The host's documentation or issue that says so. */
  link: string;
}
