/** The files of the client bundle that a page needs, as URL paths. */
export interface PageAssets {
  /** The module that starts the client. Empty for a page that sends no JavaScript. */
  entry: string;
  /** Modules that the page will load. */
  modules: readonly string[];
  /** Style sheets. */
  styles: readonly string[];
}
