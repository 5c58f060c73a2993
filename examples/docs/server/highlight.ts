import { createCssVariablesTheme, createHighlighterCoreSync } from 'shiki/core';
import type { ShikiTransformer } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import json from 'shiki/langs/json.mjs';
import shell from 'shiki/langs/shellscript.mjs';
import toml from 'shiki/langs/toml.mjs';
import tsx from 'shiki/langs/tsx.mjs';
import typescript from 'shiki/langs/typescript.mjs';

// Classes instead of a style for each word: half of the size, and the colours are in one style sheet.
const toClasses: ShikiTransformer = {
  name: 'classes',
  pre(node) {
    node.properties = { tabindex: '0' };
  },
  // Lines need no elements: they end with line breaks.
  code(node) {
    node.children = node.children.flatMap((line) => (line.type === 'element' ? line.children : [line]));
  },
  span(node) {
    const [, kind] = /--shiki-token-([\w-]+)/.exec(String(node.properties['style'])) ?? [];
    // Punctuation has the colour of text.
    node.properties = kind === undefined || kind === 'punctuation' ? {} : { class: kind };
  },
};

const highlighter = createHighlighterCoreSync({
  engine: createJavaScriptRegexEngine(),
  themes: [createCssVariablesTheme()],
  langs: [json, shell, toml, tsx, typescript],
});

/** Code as HTML. An unknown language is shown as text. */
export function highlight(code: string, language = 'text'): string {
  const isKnown = highlighter.getLoadedLanguages().includes(language);
  const html = highlighter.codeToHtml(code, {
    lang: isKnown ? language : 'text',
    theme: 'css-variables',
    transformers: [toClasses],
  });
  // Text without a colour of its own needs no element.
  return html.replaceAll(/<span>([^<]*)<\/span>/g, '$1');
}
