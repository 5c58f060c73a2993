/** Where the app is deployed. `withAppkit` of `appkit-build/metro` replaces this module. */
export const origin: string | undefined = undefined;

/** The path that the app is below, such as `/shop`. Empty at the root. */
export const base: string = '';

/** The port of the development server. */
export const developmentPort: number | undefined = undefined;
