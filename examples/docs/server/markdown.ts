import GithubSlugger from 'github-slugger';
import { Marked, Renderer } from 'marked';
import { toEditLink } from './edit-link.ts';
import { highlight } from './highlight.ts';
import { resolveLink } from './links.ts';

/** A Markdown file, rendered. */
export interface Rendered {
  /** Its first heading. */
  title: string;
  html: string;
  /** The file, as a path in the repository. */
  file: string;
  /** Where it can be edited, if the repository can be browsed. */
  editLink?: string | undefined;
  /** The headings below the title, for a list of the page's sections. */
  sections: Section[];
}

/** A heading, and the fragment that links to it. */
export interface Section {
  id: string;
  title: string;
}

/**
 * Renders Markdown of this repository. It is trusted: HTML in it is kept.
 *
 * @param file – its path in the repository, which its links are relative to.
 */
export function renderMarkdown(text: string, file: string): Rendered {
  const rendered: Rendered = { title: '', html: '', file, editLink: toEditLink(file), sections: [] };
  const slugger = new GithubSlugger();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = this.parser.parseInline(tokens, this.parser.textRenderer);
        const content = this.parser.parseInline(tokens);
        const id = slugger.slug(title);
        if (depth === 1) rendered.title ||= title;
        if (depth === 1) return `<h1>${content}</h1>\n`;
        if (depth === 2) rendered.sections.push({ id, title });
        const anchor = `<a class="anchor" href="#${id}" tabindex="-1" aria-hidden="true">#</a>`;
        return `<h${depth} id="${id}">${content} ${anchor}</h${depth}>\n`;
      },
      code: ({ text, lang }) => withCopyButton(highlight(text, lang)),
      // A region that scrolls must be reachable by keyboard.
      table(token) {
        const table = Renderer.prototype.table.call(this, token);
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table">${table}</div>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = resolveLink(href, file);
        if ('href' in target) return `<a href="${target.href.replaceAll('&', '&amp;')}">${content}</a>`;
        return `${content} (<code>${target.file}</code>)`;
      },
    },
  });
  rendered.html = marked.parse(text, { async: false });
  return rendered;
}

function withCopyButton(code: string): string {
  return `<div class="code">${code}<button class="copy" type="button">Copy</button></div>\n`;
}
