import type { SchemeFileFormat, SchemePlace } from './scheme-file.ts';
import type { SourceFile } from './source-file.ts';
import { toPosition } from './source-position.ts';
import { applyEdits } from './text-edit.ts';
import type { TextEdit } from './text-edit.ts';
import { UriSchemeError, errorAt } from './uri-scheme-error.ts';
import type { SchemeWarning } from './warning.ts';
import { childrenOf, parseXml } from './xml.ts';
import type { XmlElement } from './xml.ts';
import { appendChildren, removeChildren } from './xml-edit.ts';
import type { XmlLines } from './xml-edit.ts';

const ANDROID = 'http://schemas.android.com/apk/res/android';
const VIEW = 'android.intent.action.VIEW';
const MAIN = 'android.intent.action.MAIN';
const LAUNCHER = 'android.intent.category.LAUNCHER';
const CATEGORIES = ['android.intent.category.DEFAULT', 'android.intent.category.BROWSABLE'];

/** `AndroidManifest.xml`: each added scheme gets its own intent filter in the launched activity. */
export const androidManifest: SchemeFileFormat = {
  add(source, scheme) {
    const root = parseManifest(source);
    const warnings: SchemeWarning[] = [];
    const activity = launchedActivity(source, root, warnings);
    if (attribute(activity, 'launchMode') !== 'singleTask')
      warnings.push(warn('launch-mode', source, activity, LAUNCH_MODE_ADVICE));

    const present = dataOf(root).filter(
      ({ filter, data }) => attribute(data, 'scheme') === scheme && isForLinks(filter),
    );
    const [first] = present;
    if (!first) return { text: applyEdits(source.text, [appendFilter(source.text, activity, scheme)]), warnings };
    if (present.every(({ filter }) => isAppLink(filter) || isPartial(filter))) {
      const message = `${scheme} already exists, but only for some hosts or paths: check that these are the ones you need.`;
      warnings.push(warn('partial-filter', source, first.data, message));
    }
    return { text: source.text, warnings };
  },

  remove(source, schemes) {
    const warnings: SchemeWarning[] = [];
    let { text } = source;
    // One at a time: the remaining text decides how the next one is removed.
    for (;;) {
      const current = { ...source, text };
      const found = dataOf(parseManifest(current)).filter(({ data }) =>
        schemes.includes(attribute(data, 'scheme') ?? ''),
      );
      const next = found.find(({ filter }) => !isAppLink(filter));
      if (!next) {
        const [kept] = found;
        if (kept) throw isInAppLink(current, kept.data, attribute(kept.data, 'scheme') ?? '');
        return { text, warnings };
      }
      text = applyEdits(text, [removeData(current, next, warnings)]);
    }
  },

  list(source) {
    return dataOf(parseManifest(source)).flatMap(({ data }): SchemePlace[] => {
      const scheme = attribute(data, 'scheme');
      if (scheme === undefined || isOfWeb(scheme)) return [];
      return [{ scheme, line: toPosition(source.text, data.start).line }];
    });
  },
};

interface DataPlace {
  activity: XmlElement;
  filter: XmlElement;
  data: XmlElement;
}

function parseManifest(source: SourceFile): XmlElement {
  const root = parseXml(source);
  if (root.name === 'manifest') return root;
  const place = { ...source, offset: root.start };
  const message = `The root element is ${root.name}, not manifest.`;
  throw errorAt('ERR_FILE_MALFORMED', place, message, 'Name the AndroidManifest.xml of the app with --manifest-path.');
}

function activitiesOf(root: XmlElement, ...kinds: string[]): XmlElement[] {
  return childrenOf(root, 'application').flatMap((application) => childrenOf(application, ...kinds));
}

/** All `data` in the intent filters that handle links, from browsers or other apps. */
function dataOf(root: XmlElement): DataPlace[] {
  return activitiesOf(root, 'activity', 'activity-alias').flatMap((activity) =>
    childrenOf(activity, 'intent-filter')
      .filter((filter) => namesOf(filter, 'action').includes(VIEW))
      .flatMap((filter) => childrenOf(filter, 'data').map((data) => ({ activity, filter, data }))),
  );
}

function launchedActivity(source: SourceFile, root: XmlElement, warnings: SchemeWarning[]): XmlElement {
  const isLauncher = (activity: XmlElement): boolean =>
    childrenOf(activity, 'intent-filter').some(
      (filter) => namesOf(filter, 'action').includes(MAIN) && namesOf(filter, 'category').includes(LAUNCHER),
    );
  const activities = activitiesOf(root, 'activity');
  const targets = activitiesOf(root, 'activity-alias')
    .filter(isLauncher)
    .map((alias) => attribute(alias, 'targetActivity') ?? '');
  const isTarget = (activity: XmlElement): boolean =>
    targets.some((target) => isSameClass(target, attribute(activity, 'name') ?? ''));
  const launched = activities.filter((activity) => isLauncher(activity) || isTarget(activity));
  const [first, second] = launched;
  if (!first) {
    const message = `No activity has an intent filter with ${MAIN} and ${LAUNCHER}: there is nothing that a link could open.`;
    const fix = 'Name the manifest of the app itself with --manifest-path, or give its activity that filter.';
    throw new UriSchemeError('ERR_ACTIVITY_NOT_FOUND', message, { fix, file: source.file });
  }
  if (second) {
    const message = 'More than one activity is launched; the first one gets the scheme.';
    warnings.push(warn('several-launchers', source, second, message));
  }
  return first;
}

// A class may be written without its package, which is in another file (the namespace of build.gradle).
function isSameClass(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other].toSorted((a, b) => a.length - b.length);
  return short === long || (/^\.?\w+$/.test(short) && long.endsWith(`.${short.replace(/^\./, '')}`));
}

function appendFilter(text: string, activity: XmlElement, scheme: string): TextEdit {
  const [example] = childrenOf(activity, 'intent-filter').flatMap((filter) => filter.children);
  const prefix = androidPrefix(activity);
  const end = example && text.slice(example.start, example.openEnd).endsWith(' />') ? ' />' : '/>';
  const lines: XmlLines = [
    '<intent-filter>',
    [
      `<action ${prefix}name="${VIEW}"${end}`,
      ...CATEGORIES.map((category) => `<category ${prefix}name="${category}"${end}`),
      `<data ${prefix}scheme="${scheme}"${end}`,
    ],
    '</intent-filter>',
  ];
  return appendChildren(text, activity, lines);
}

/** `android:`, or another prefix that the manifest uses for the namespace. */
function androidPrefix(activity: XmlElement): string {
  const named = activity.attributes.find(({ uri }) => uri === ANDROID);
  return named ? named.name.slice(0, named.name.length - named.local.length) : 'android:';
}

function removeData(source: SourceFile, { activity, filter, data }: DataPlace, warnings: SchemeWarning[]): TextEdit {
  if (isAsAdded(source.text, filter)) return removeChildren(source.text, activity, filter);
  const others = childrenOf(filter, 'data').filter((other) => other !== data);
  if (!others.some((other) => attribute(other, 'scheme') !== undefined)) {
    const message =
      'This intent filter has no scheme any more. It contains more than a scheme, so it was kept: check whether you need it.';
    warnings.push(warn('filter-without-scheme', source, filter, message));
  }
  return removeChildren(source.text, filter, data);
}

/** Whether a filter contains what `add` writes, and nothing more. */
function isAsAdded(text: string, filter: XmlElement): boolean {
  const data = childrenOf(filter, 'data');
  return (
    filter.attributes.length === 0 &&
    filter.children.length === 2 + CATEGORIES.length &&
    filter.text.trim() === '' &&
    !text.slice(filter.start, filter.end).includes('<!--') &&
    namesOf(filter, 'action').join() === VIEW &&
    namesOf(filter, 'category').toSorted().join() === CATEGORIES.toSorted().join() &&
    data.length === 1 &&
    data[0]?.attributes.length === 1
  );
}

/**
 * Without these categories a filter only handles links from other apps, or from those that name this app, but not from
 * a browser.
 */
function isForLinks(filter: XmlElement): boolean {
  const names = namesOf(filter, 'category');
  return CATEGORIES.every((category) => names.includes(category));
}

/**
 * Whether a filter is for links of a website. Its schemes, hosts and paths combine with each other, and Android
 * verifies the filter as a unit: changing a part of it changes which of those links open the app.
 */
function isAppLink(filter: XmlElement): boolean {
  return (
    attribute(filter, 'autoVerify') === 'true' ||
    childrenOf(filter, 'data').some((data) => isOfWeb(attribute(data, 'scheme')))
  );
}

function isOfWeb(scheme: string | undefined): boolean {
  return scheme === 'http' || scheme === 'https';
}

function isPartial(filter: XmlElement): boolean {
  return childrenOf(filter, 'data').some((data) => data.attributes.some(({ local }) => local !== 'scheme'));
}

function isInAppLink(source: SourceFile, data: XmlElement, scheme: string): UriSchemeError {
  const message = `${scheme} is in an intent filter for links of a website (https), which is never changed here.`;
  const fix = 'Move it to its own filter by hand, and run this again. Nothing was written.';
  return errorAt('ERR_APP_LINK', { ...source, offset: data.start }, message, fix);
}

function attribute(element: XmlElement, local: string): string | undefined {
  return element.attributes.find((attribute) => attribute.uri === ANDROID && attribute.local === local)?.value;
}

function namesOf(filter: XmlElement, kind: string): string[] {
  return childrenOf(filter, kind).map((element) => attribute(element, 'name') ?? '');
}

function warn(code: SchemeWarning['code'], source: SourceFile, element: XmlElement, message: string): SchemeWarning {
  const { line } = toPosition(source.text, element.start);
  return { code, message: `${source.file}:${line}: ${message}` };
}

const LAUNCH_MODE_ADVICE =
  'android:launchMode of this activity is not singleTask: a link opens a second one, and openAuthSessionAsync is never notified.';
