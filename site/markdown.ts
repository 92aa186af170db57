import { posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';

/** A heading, with its id as GitHub makes it, and the text below it. */
export interface Section {
  readonly id: string;
  readonly depth: number;
  readonly title: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** The text of an inline token, without its marks. */
const plain = (tokens: readonly Token[]): string =>
  tokens.map((token) => ('tokens' in token ? plain(token.tokens ?? []) : 'text' in token ? String(token.text) : '')).join('');

const textOf = (token: Token): string => {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map((cell) => plain(cell.tokens)).join(' ')).join(' ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => item.text).join(' ');
  return 'tokens' in token ? plain(token.tokens ?? []) : 'text' in token ? String(token.text) : '';
};

/** A heading may name its id: `### List products {#listProducts}`. */
const NAMED = / \{#([\w-]+)\}$/;

interface Heading {
  readonly id: string;
  readonly title: string;
}

/** Headings with ids as GitHub makes them, so that a link works in both places, or with the one that they name. */
const slugger = (): ((text: string) => Heading) => {
  const seen = new Map<string, number>();
  return (text) => {
    const [, named] = NAMED.exec(text) ?? [];
    const title = text.replace(NAMED, '');
    if (named !== undefined) return { id: named, title };
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return { id: times === 0 ? slug : `${slug}-${String(times)}`, title };
  };
};

/**
 * Resolves a link of a page in docs: to its page of the site, or null to a file that the site does
 * not have. `page` is the path of the page below docs, without its ending.
 */
const targetOf = (page: string, href: string): string | null => {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(page), path);
  if (target.startsWith('..')) return null;
  const address = `/docs/${target
    .replace(/(^|\/)README\.md$/, '$1')
    .replace(/\.md$/, '')
    .replace(/\/$/, '')}`;
  return anchor === undefined ? address : `${address}#${anchor}`;
};

/** `linkOf` says where the reference has an operation that a page names in code. */
export const renderPage = (
  page: string,
  source: string,
  linkOf: (text: string) => string | undefined = () => undefined,
): RenderedPage => {
  const slug = slugger();
  const sections: Section[] = [];
  const marked = new Marked();
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const { id, title } = slug(plain(tokens));
        const inner = this.parser.parseInline(tokens).replace(NAMED, '');
        const anchor = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(title)}">#</a>`;
        return `<h${String(depth)} id="${id}">${inner}${anchor}</h${String(depth)}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(page, href);
        return target === null ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      codespan({ text }) {
        const code = `<code>${escapeHtml(text)}</code>`;
        const target = linkOf(text);
        return target === undefined ? code : `<a href="${target}">${code}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(targetOf(page, href) ?? '')}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      // The pages are ours, and write pictures of both themes in HTML.
      html({ text }) {
        return text.replaceAll(
          /\b(src|srcset)="([^"]+)"/g,
          (_, name: string, href: string) => `${name}="${targetOf(page, href) ?? ''}"`,
        );
      },
      code({ text, lang = '' }) {
        return `<pre tabindex="0" data-language="${escapeHtml(lang)}"><code>${escapeHtml(text)}\n</code></pre>\n`;
      },
    },
  });
  const tokens = marked.lexer(source);
  const ids = slugger();
  for (const token of tokens) {
    if (token.type === 'heading') {
      sections.push({ ...ids(plain(token.tokens ?? [])), depth: (token as Tokens.Heading).depth, text: '' });
    } else {
      const last = sections.at(-1);
      if (last) sections[sections.length - 1] = { ...last, text: `${last.text} ${textOf(token)}`.trim() };
    }
  }
  // A wide table scrolls by itself, and by the keyboard.
  const html = marked
    .parser(tokens)
    .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<th></th>', '<td></td>');
  return { title: sections[0]?.title ?? page, html, sections };
};
