export { type AppkitMetroOptions, withAppkit } from './with-appkit.ts';
