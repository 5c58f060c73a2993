/** Where an app runs. */
export type Platform = 'android' | 'ios' | 'node' | 'web';
