/** The package that has to be installed for a binary: otherwise npm fetches whichever package has the binary's name. */
const BINARIES: Record<string, string> = {
  appkit: 'appkit-cli',
  changeset: '@changesets/cli',
  metro: 'metro',
  netlify: 'netlify-cli',
  tsc: 'typescript',
  'uri-scheme': 'appkit-uri-scheme',
  vercel: 'vercel',
  wrangler: 'wrangler',
};

const RUN = /\b(?:npx|bunx|npm (?:exec|x)|pnpm dlx|yarn dlx)((?: +[^\s`'",;|&#)]+)+)/g;
const CREATE = /\b(?:npm (?:create|init)|(?:pnpm|yarn|bun) create)((?: +[^\s`'",;|&#)]+)+)/g;
const INSTALL = /\b(?:npm (?:install|i|add)|(?:pnpm|yarn|bun) add)((?: +[^\s`'",;|&#)]+)+)/g;

/** What to search for in a text. */
export interface ShownText {
  /** A page, a message, or source code that contains messages. */
  text: string;
  /** Whether people read the text from top to bottom, so that it must name the package before the command. */
  isPage: boolean;
}

/**
 * Finds the commands of a text that could fetch a package of somebody else. `npx appkit` runs our command only in an app that has
 * `appkit-cli`; anywhere else npm fetches the package `appkit`, which is not ours. None of our packages is in the npm registry
 * yet, so that whoever takes a name there first would be installed by it.
 *
 * @returns a sentence for each.
 */
export function findFetchingCommands({ text, isPage }: ShownText): string[] {
  const run = [...text.matchAll(RUN)].flatMap((found) =>
    judgeRun(found, isPage ? text.slice(0, found.index) : undefined),
  );
  const create = [...text.matchAll(CREATE)].flatMap(([command, words = '']) =>
    /appkit/.test(words) ? [`${command}: it is not in the npm registry. Show npm run new.`] : [],
  );
  const install = [...text.matchAll(INSTALL)].flatMap(([command, words = '']) =>
    /(?:^| )appkit(?![\w-]*\/)/.test(words)
      ? [`${command}: install ours from a tarball, ./vendor/<package>-*.tgz.`]
      : [],
  );
  return [...run, ...create, ...install];
}

function judgeRun([command, words = '']: RegExpExecArray, before: string | undefined): string[] {
  const [binary = '', subcommand, argument] = words.trim().split(/ +/);
  if (/^(?:\$\{|<)/.test(binary)) return []; // the command is put together at run time
  const [, name = '', version] = /^(@?[^@]+)(?:@(.*))?$/.exec(binary) ?? [];
  const owner = Object.hasOwn(BINARIES, name) ? BINARIES[name] : undefined;
  if (owner === undefined) return [`${command}: no package of ours or known tool has this binary.`];
  if (owner === name) return [];
  if (version !== undefined)
    return [`${command}: with a version, npm fetches the package ${name}. It is not ${owner}.`];
  if (name === 'appkit' && subcommand === 'init' && argument !== undefined && /^[\w.]/.test(argument))
    return [`${command}: a new app is made where appkit-cli is not installed. Show npm run new.`];
  return before === undefined || before.includes(owner) ? [] : [`${command}: say first that ${owner} is installed.`];
}
