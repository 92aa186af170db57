import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { SCRIPT, STYLE } from './assets.ts';
import { escapeHtml, renderPage, type RenderedPage } from './markdown.ts';
import { openReferences, REFERENCES, type References } from './references.ts';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));

/** The pages in the order of the menu. A page that is not named is in the last group. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['Start', ['getting-started', 'concepts', 'comparison']],
  [
    'Build an app',
    [
      ...['api-guide', 'reference', 'webhooks', 'errors', 'testing-an-app', 'other-languages'],
      ...['many-stores', 'versioning', 'going-live'],
    ],
  ],
  [
    'Run a server',
    [
      ...['deployment', 'kubernetes', 'configuration', 'operations', 'troubleshooting'],
      ...['console', 'command-line', 'reference-admin', 'import', 'reliability', 'scaling'],
    ],
  ],
];
const REST = 'More';

export interface SitePage extends RenderedPage {
  /** Path below docs, without the ending: `specification/feed`. A README is its folder. */
  readonly name: string;
  readonly address: string;
  readonly source: string;
}

export interface Site {
  readonly pages: ReadonlyMap<string, SitePage>;
  html(page: SitePage): string;
  /** The first page: all pages by group. */
  home(): string;
  /** Every section, for the search in the browser. */
  search(): string;
  /** A list of the pages for programs that read text (llms.txt). */
  llms(): string;
}

const namesIn = (folder: string): string[] =>
  readdirSync(join(DOCS, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return namesIn(path);
    return path.endsWith('.md') ? [path] : [];
  });

const sitePage = (name: string, file: string, source: string, references?: References): SitePage => ({
  name,
  address: `/docs/${name}`,
  source,
  ...renderPage(file, source, references?.linkOf),
});

const readPages = (): SitePage[] => {
  const read = (file: string): string => readFileSync(join(DOCS, file), 'utf8');
  const references = openReferences(read);
  const guides = namesIn('').map((file) => {
    const path = file.replace(/\.md$/, '');
    return sitePage(path.replace(/\/README$/, ''), path, read(file), references);
  });
  return [...guides, ...[...references.sources].map(([name, source]) => sitePage(name, name, source))];
};

const list = (items: readonly string[]): string => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

/** The text of an opening paragraph, which says for whom the page is. */
const openingOf = ({ sections: [first] }: SitePage): string => first?.text.split(/(?<=\.)\s/, 2).join(' ') ?? '';

/** Reads and renders every page of docs once. */
export const openSite = (): Site => {
  const pages = new Map(readPages().map((page) => [page.name, page]));
  const named = new Set(GROUPS.flatMap(([, names]) => names));
  const rest = [...pages.keys()].filter((name) => !named.has(name)).sort();
  const groups = [...GROUPS, [REST, rest] as const].map(
    ([title, names]) => [title, names.flatMap((name) => pages.get(name) ?? [])] as const,
  );
  const menu = (current: string | null): string =>
    groups
      .map(([title, inGroup]) => {
        const links = inGroup.map(
          ({ name, address, title: text }) =>
            `<a href="${address}"${name === current ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`,
        );
        return `<h2>${title}</h2>${list(links)}`;
      })
      .join('');
  const frame = (title: string, current: string | null, main: string, here = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} - Tenon</title>
<link rel="stylesheet" href="/docs/site.css">
<script src="/docs/site.js"></script>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header class="bar">
<a class="home" href="/docs">Tenon</a>
<form role="search"><input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"><ul id="found" aria-label="Results"></ul><span id="count" role="status" class="skip"></span></form>
<button id="theme" type="button">Theme</button>
</header>
<div class="frame">
<nav class="pages" aria-label="Pages"><details open><summary>All pages</summary>${menu(current)}</details></nav>
<main id="main">${main}</main>
${here}
</div>
</body>
</html>
`;
  return {
    pages,
    html: (page) => {
      const headings = page.sections.filter(({ depth }) => depth === 2 || depth === 3);
      const links = headings.map(({ id, depth, title }) => `<a class="d${String(depth)}" href="#${id}">${escapeHtml(title)}</a>`);
      const here = `<nav class="here" aria-label="On this page"><h2>On this page</h2>${list(links)}</nav>`;
      const footer = `<footer><a href="${page.address}.md">This page as Markdown</a></footer>`;
      return frame(page.title, page.name, page.html + footer, here);
    },
    home: () => {
      const entry = (page: SitePage): string => `<a href="${page.address}">${escapeHtml(page.title)}</a>`;
      const parts = groups.map(([title, inGroup]) => `<h2>${title}</h2>${list(inGroup.map(entry))}`);
      return frame('Documentation', null, `<h1>Tenon documentation</h1>${parts.join('')}`);
    },
    search: () =>
      JSON.stringify(
        [...pages.values()].flatMap((page) =>
          page.sections.map(({ id, title, text }) => ({
            address: `${page.address}#${id}`,
            page: page.title,
            title,
            // A reference is found by its headings and what is said first.
            text: page.name in REFERENCES ? text.slice(0, 300) : text,
          })),
        ),
      ),
    llms: () => {
      const parts = groups.map(([title, inGroup]) => {
        const lines = inGroup.map((page) => `- [${page.title}](${page.address}.md): ${openingOf(page)}`);
        return `## ${title}\n\n${lines.join('\n')}\n`;
      });
      return `# Tenon\n\n> A self-hosted server that lets other people's apps work on your shop, safely.\n\nThe OpenAPI document of the app API is /openapi.json.\n\n${parts.join('\n')}`;
    },
  };
};

/** The text of each file that is written, by its path on any host of static files: all but what `docs` has as it is served. */
export const siteFiles = (): ReadonlyMap<string, string> => {
  const site = openSite();
  return new Map([
    ['docs/index.html', site.home()],
    ['docs/site.css', STYLE],
    ['docs/site.js', SCRIPT],
    ['docs/search.json', site.search()],
    ['llms.txt', site.llms()],
    ...[...site.pages.values()].flatMap((page) => [
      [`docs/${page.name}/index.html`, site.html(page)] as const,
      [`docs/${page.name}.md`, page.source] as const,
    ]),
  ]);
};
