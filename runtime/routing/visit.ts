/** A request, and the path to look up for it. */
export interface Visit {
  request: Request;
  /** The path below the mount, percent-encoded. */
  pathname: string;
  /** Where the app is mounted, such as `/shop`. Empty at the root. */
  basePath: string;
}

/** A path of the app, as the client must request it. */
export function toPublicPath({ basePath }: Visit, path: string): string {
  return basePath === '/' ? path : basePath + path;
}
