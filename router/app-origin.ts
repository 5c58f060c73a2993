/** Where the app is deployed. `withAppkit` of `appkit-build/metro` puts a module in place of this one. */
export const origin: string | undefined = undefined;

/** The port of the development server. */
export const developmentPort: number | undefined = undefined;
