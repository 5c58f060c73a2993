import type { JobCount, JobRecord, JobState } from 'appkit-server/jobs/sqlite';
import { escapeHtml as escape, toDevPage } from './dev-page.ts';

/** Where the page is. */
export const JOBS_PATH = '/_appkit/dev/jobs';

/** In the order in which the page shows them. */
export const JOB_STATES: readonly JobState[] = ['waiting', 'running', 'dead', 'done'];

/** A job of the app. */
export interface ShownJob {
  name: string;
  file: string;
  /** Its schedule in words, or why it is unknown. `undefined` if it has none. */
  schedule: string | undefined;
}

/** What the page shows. */
export interface JobsView {
  jobs: readonly ShownJob[];
  /** What is stored. `undefined` if this server stores none. */
  stored: { place: string; counts: readonly JobCount[]; records: readonly JobRecord[] } | undefined;
  /** Only jobs in this state are listed. Default: all. */
  state: JobState | undefined;
  /** The id of the job that is shown with its input. */
  open: string | undefined;
  /** Why an action was refused, and the submitted form. */
  refused: { message: string; job?: string; input?: string } | undefined;
}

/** Creates the page of the jobs. It needs no script: reloading it shows the current state. */
export function toJobsPage(view: JobsView): string {
  const { jobs, stored, state, refused } = view;
  const names = new Set(jobs.map(({ name }) => name));
  // A file that was renamed or removed leaves its jobs behind.
  const left = [...new Set(stored?.counts.map(({ job }) => job))].filter((name) => !names.has(name));
  const body = [
    `<h1>Jobs</h1>`,
    refused ? `<pre class="refused" role="alert">${escape(refused.message)}</pre>` : '',
    stored || refused ? '' : `<p>${explainNothing(jobs)}</p>`,
    ...jobs.map((job) => toJob(job, view)),
    ...left.map((name) => toLeft(name, view)),
    stored ? `<h2>${state === undefined ? 'The latest' : `The latest that are ${state}`}</h2>` : '',
    stored ? `<p>${toLinks(state)}</p>` : '',
    ...(stored?.records.map((record) => toRecord(record, view)) ?? []),
    stored?.records.length === 0 ? '<p class="dim">There are none.</p>' : '',
    stored
      ? `<footer>They are stored in ${escape(stored.place)}. Load this page again for their present state.</footer>`
      : '',
  ];
  return toDevPage({ title: 'Jobs', style: STYLE, body: body.filter((part) => part !== '').join('\n') });
}

function explainNothing(jobs: readonly ShownJob[]): string {
  return jobs.length === 0
    ? 'This app has no jobs. A file such as app/mail+job.ts is one.'
    : 'This server stores no jobs: the routes run in another host, which would have to.';
}

const STYLE = `
h1, h2 { font-size: 1.3rem; margin: 0 0 .5rem; }
h2 { margin-top: 2rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
section, details { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: .5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
details:target { border-color: currentcolor; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin-top: .5rem; }
label { flex: 1 1 15rem; font-size: .85rem; color: var(--dim); }
textarea { display: block; width: 100%; box-sizing: border-box; font: 14px/1.5 ui-monospace, monospace; field-sizing: content; resize: vertical; }
button { font: inherit; padding: .35rem .9rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: .5rem 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
a { color: inherit; }
.dead, .refused { color: var(--red); }
.refused { white-space: pre-wrap; }
`;

function toJob({ name, file, schedule }: ShownJob, view: JobsView): string {
  const typed = view.refused?.job === name ? (view.refused.input ?? '') : '';
  const form = `<form method="post">
<input type="hidden" name="job" value="${escape(name)}">
<label>Input, as JSON<textarea name="input" rows="1" spellcheck="false" aria-label="Input of ${escape(name)}, as JSON">\n${escape(typed)}</textarea></label>
<button name="action" value="run">Run now</button>
</form>`;
  return `<section>
<h3>${escape(name)} <span class="dim">${escape(file)}</span></h3>
${schedule === undefined ? '' : `<p>${escape(schedule)}</p>\n`}${toCounts(name, view)}${view.stored ? form : ''}
</section>`;
}

function toLeft(name: string, view: JobsView): string {
  return `<section>
<h3>${escape(name)}</h3>
<p>The app has no file for it. Its jobs wait for a process that has.</p>
${toCounts(name, view)}</section>`;
}

function toCounts(name: string, { stored }: JobsView): string {
  if (!stored) return '';
  const counts = JOB_STATES.map((state) => {
    const count = stored.counts.find((one) => one.job === name && one.state === state)?.count ?? 0;
    return `<span${state === 'dead' && count > 0 ? ' class="dead"' : ''}>${count} ${state}</span>`;
  });
  return `<p>${counts.join(' · ')}</p>\n`;
}

function toLinks(state: JobState | undefined): string {
  const links = [undefined, ...JOB_STATES].map((one) => {
    const text = one ?? 'all';
    return one === state
      ? `<b>${text}</b>`
      : `<a href="${JOBS_PATH}${one === undefined ? '' : `?state=${one}`}">${text}</a>`;
  });
  return links.join(' · ');
}

function toRecord(record: JobRecord, { open }: JobsView): string {
  const { id, job, state, attempt, createdAt, error } = record;
  const [firstLine = ''] = error?.split('\n') ?? [];
  const attempts = attempt === 1 ? '1 attempt' : `${attempt} attempts`;
  // SQLite and PostgreSQL do not run a finished job again.
  const actions = [
    ...(state === 'dead' || state === 'waiting' ? ['retry'] : []),
    ...(state === 'running' ? [] : ['discard']),
  ];
  const buttons = actions.map(
    (action) => `<button name="action" value="${action}">${action === 'retry' ? 'Retry' : 'Discard'}</button>`,
  );
  const form = `<form method="post"><input type="hidden" name="id" value="${escape(id)}">${buttons.join(' ')}</form>\n`;
  return `<details id="${escape(id)}"${id === open ? ' open' : ''}>
<summary><b class="${state}">${state}</b> ${escape(job)} <span class="dim">${attempts}, ${toTime(createdAt)}</span>${
    firstLine === '' ? '' : `<br><span class="dead">${escape(firstLine)}</span>`
  }</summary>
<dl>${toFacts(record)}</dl>
<pre>${escape(toInput(record.input))}</pre>
${error === undefined ? '' : `<pre class="dead">${escape(error)}</pre>\n`}${actions.length > 0 ? form : ''}</details>`;
}

function toFacts({ id, key, state, dueAt, endedAt, scheduledAt }: JobRecord): string {
  const facts: [string, string | undefined][] = [
    ['id', escape(id)],
    ['key', key && escape(key)],
    ['scheduled for', scheduledAt && toTime(scheduledAt)],
    ['due', state === 'waiting' ? toTime(dueAt) : undefined],
    ['ended', endedAt && toTime(endedAt)],
  ];
  return facts.map(([name, value]) => (value === undefined ? '' : `<dt>${name}</dt><dd>${value}</dd>`)).join('');
}

function toTime(date: Date): string {
  const iso = date.toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function toInput(input: unknown): string {
  return input === undefined ? 'no input' : JSON.stringify(input, null, 2);
}
