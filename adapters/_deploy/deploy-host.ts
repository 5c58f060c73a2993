/** A host with its own command-line tool, and how to deploy an app with that tool. */
export interface DeployHost {
  /** Its usual name. */
  title: string;
  /** The host's configuration file, which `appkit init --host` writes. */
  configFile: string;
  tool: {
    /** The command. */
    name: string;
    /** The package that contains the tool. */
    package: string;
    /** The tested version. */
    version: string;
    /** The command that logs in, and the environment variable that a script sets instead. */
    login: string;
    token: string;
    /** The text that the tool prints if nobody is logged in. */
    notLoggedIn: RegExp;
  };
  /** Who exports the app: appkit, or the tool's build with the command in the configuration. */
  exports: 'before' | 'in build';
  /** The arguments that build the upload. */
  build?(options: DeployOptions): string[];
  /**
   * The arguments that upload the build; with `dryRun`, the arguments that do everything except the upload, if the tool
   * can.
   */
  upload(options: DeployOptions): string[] | undefined;
  /** Finds the URL in the output of the upload. */
  findUrl(stdout: string): string | undefined;
}

/** How an app is deployed. */
export interface DeployOptions {
  /** To the production URL, if the host has a separate one. */
  prod: boolean;
  /** To a URL of its own, which stays the same when something else is deployed. */
  versioned: boolean;
  /** Everything except the upload, without network. */
  dryRun: boolean;
}
