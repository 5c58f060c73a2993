import type { ManifestJob } from '../../runtime/host.ts';

/** A host whose configuration has to name what its jobs need. In the folder of the host, the module `jobs-host` exports one as `jobsHost`. */
export interface JobsHost {
  /** Its usual name. */
  title: string;
  /** Its adapter, as a module imports it that hosts an app there. */
  adapter: string;
  /** The engine for which the configuration is compared, as such a module imports it. An app may use another one there. */
  engine: string;
  /** Its configuration, relative to the app. It is the app's own: it is read, and never changed once it is there. */
  configFile: string;
  /**
   * Compares the configuration with the jobs of the app.
   *
   * @param text – of the configuration, as anybody may have written it.
   * @param jobs – at least one.
   * @param modules – those that name its adapter, for hosts where code says what stores the jobs.
   */
  findProblems(text: string, jobs: readonly HostedJob[], modules: readonly HostingModule[]): JobsHostProblem[];
  /**
   * Makes a file of the host's template fit for the jobs, for `appkit init`. A job that the host cannot run is left out: the export tells of it.
   *
   * @param file – its path relative to the app, with `/` between folders, and its text.
   * @param jobs – at least one.
   * @returns the text, unchanged where nothing is to be added.
   */
  fillTemplate(file: { path: string; text: string }, jobs: readonly HostedJob[]): string;
  /**
   * The files that only an app with jobs needs, for `appkit init`.
   *
   * @param text – of the configuration in the host's template.
   * @param jobs – at least one.
   */
  addedFiles?(text: string, jobs: readonly HostedJob[]): { path: string; text: string }[];
  /**
   * The commands that make once what the jobs need, for `appkit init` to print.
   *
   * @param text – of the configuration.
   */
  commands?(text: string): string[];
}

/** A module of an app that names the adapter of a host. */
export interface HostingModule {
  /** Its path relative to the app, with `/` between folders. */
  file: string;
  /** Its text. */
  code: string;
}

/** A job of an app. */
export interface HostedJob extends ManifestJob {
  /** Its file, relative to the app. */
  source: string;
}

/** What is wrong between the jobs of an app and a host. */
export interface JobsHostProblem {
  /** One sentence or two: what is missing or cannot be. It names the job and its file if it is of one. */
  message: string;
  /** What to do. It may have several lines, such as those to add to the configuration. */
  fix: string;
}

/** Says that a host cannot read a setting from the source of a job. */
export function unknownSetting(
  { name, source }: HostedJob,
  { setting, title }: { setting: string; title: string },
): JobsHostProblem {
  return {
    message: `${source}: the source of the job ${name} does not show its ${setting}, which the configuration of ${title} has to name.`,
    fix: `Write the ${setting} as literals in the defineJob({ … }) that the file exports.`,
  };
}
