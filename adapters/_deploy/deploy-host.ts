/** A host that has a command line tool of its own, and how an app is deployed with it. */
export interface DeployHost {
  /** What people call it. */
  title: string;
  /** Its configuration, which `appkit init --host` writes. */
  configFile: string;
  tool: {
    /** The command. */
    name: string;
    /** The package that brings it. */
    package: string;
    /** The version that is tested. */
    version: string;
    /** What logs in, and the variable that a script sets instead. */
    login: string;
    token: string;
    /** What it prints when nobody is logged in. */
    notLoggedIn: RegExp;
  };
  /** Who exports the app: we, or the build of the tool, by the command in the configuration. */
  exports: 'before' | 'in build';
  /** The arguments that build what is uploaded. */
  build?(options: DeployOptions): string[];
  /** The arguments that upload it; with `dryRun`, where the tool can do all but that, those. */
  upload(options: DeployOptions): string[] | undefined;
  /** The URL in what the upload has printed. */
  findUrl(stdout: string): string | undefined;
}

/** How an app is deployed. */
export interface DeployOptions {
  /** To the URL of production, where the host tells it from others. */
  prod: boolean;
  /** To a URL of its own, which stays what it is when something else is deployed. */
  versioned: boolean;
  /** All but the upload, and without network. */
  dryRun: boolean;
}
