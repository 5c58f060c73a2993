/** Where the app is deployed. `withAppkit` of `appkit-build/metro` replaces this module. */
export const origin: string | undefined = undefined;

/** The port of the development server. */
export const developmentPort: number | undefined = undefined;
