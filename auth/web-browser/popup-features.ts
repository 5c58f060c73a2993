import type { WebBrowserWindowFeatures } from './options.ts';

/** Formats the features of a popup for `window.open`: the given ones, otherwise a small window in the middle. */
export function toFeatures(given: string | WebBrowserWindowFeatures | undefined): string {
  if (typeof given === 'string') return given;
  const { width, height } = { width: 500, height: 650, ...given };
  const middle = {
    left: Math.max(0, window.screenX + (window.outerWidth - Number(width)) / 2),
    top: Math.max(0, window.screenY + (window.outerHeight - Number(height)) / 2),
  };
  const features = { popup: true, width, height, resizable: true, scrollbars: true, ...middle, ...given };
  return Object.entries(features)
    .map(([name, value]) => `${name}=${typeof value === 'boolean' ? (value ? 'yes' : 'no') : value}`)
    .join(',');
}
