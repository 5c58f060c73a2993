import type { ManifestJob } from '../../runtime/host.ts';

/**
 * A host whose configuration has to name what its jobs need. The module `jobs-host` in the host's folder exports one as
 * `jobsHost`.
 */
export interface JobsHost {
  /** Its usual name. */
  title: string;
  /** The specifier of the host's adapter, as a module imports it to host an app there. */
  adapter: string;
  /**
   * The specifier of the engine that the configuration is compared for, as such a module imports it. An app may use
   * another engine there.
   */
  engine: string;
  /**
   * The host's configuration file, relative to the app. It belongs to the app: we read it, and never change it once it
   * exists.
   */
  configFile: string;
  /**
   * Compares the configuration with the jobs of the app.
   *
   * @param text – of the configuration, which may contain anything.
   * @param jobs – at least one.
   * @param modules – the modules that name the adapter, for hosts where app code decides what stores the jobs.
   */
  findProblems(text: string, jobs: readonly HostedJob[], modules: readonly HostingModule[]): JobsHostProblem[];
  /**
   * Adapts a file of the host's template to the jobs, for `appkit init`. A job that the host cannot run is left out:
   * the export reports it.
   *
   * @param file – its path relative to the app, with `/` between folders, and its text.
   * @param jobs – at least one.
   * @returns the text, unchanged if nothing has to be added.
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
   * The one-time commands that create what the jobs need, for `appkit init` to print.
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
  /** The job's file, relative to the app. */
  source: string;
}

/** A mismatch between an app's jobs and a host. */
export interface JobsHostProblem {
  /**
   * One or two sentences: what is missing or impossible. Names the job and its file if the problem concerns one job.
   */
  message: string;
  /** What to do. May have several lines, such as those to add to the configuration. */
  fix: string;
}

/** Reports that a host cannot read a setting from the source of a job. */
export function unknownSetting(
  { name, source }: HostedJob,
  { setting, title }: { setting: string; title: string },
): JobsHostProblem {
  return {
    message: `${source}: the source of the job ${name} does not show its ${setting}, which the configuration of ${title} has to name.`,
    fix: `Write the ${setting} as literals in the defineJob({ … }) that the file exports.`,
  };
}
