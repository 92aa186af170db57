import express from 'express';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import request from 'supertest';
import { describe, expect, it } from 'vitest';

import { SCRIPT } from '../../site/assets.ts';
import { renderPage } from '../../site/markdown.ts';
import { openSite } from '../../site/site.ts';
import { docsRouter } from '../../src/adapters/http/pages/docs.ts';

/** Files that the pages load or lead to, beside other pages. */
const STATIC_FILES = ['site.css', 'site.js', 'search.json', 'openapi.json', 'openapi-admin.json'].map((name) => `/docs/${name}`);

const app = express().use(docsRouter('plain'));
const site = openSite();
const linksOf = (html: string): string[] => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');

/** The pages that have no file, and the documents that they are written from. */
const REFERENCES = { reference: 'docs/openapi.json', 'reference-admin': 'docs/openapi-admin.json' };

describe.each(Object.entries(REFERENCES))('/docs/%s', (name, file) => {
  const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; summary: string }>>;
    components: { schemas: Record<string, object> };
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const { sections, source } = site.pages.get(name)!;

  it('has each operation with an anchor of its operationId, and each schema', () => {
    const ids = new Map(sections.map(({ id, title }) => [id, title]));
    expect(operations.length).toBeGreaterThan(20);
    for (const { operationId, summary } of operations) expect(ids.get(operationId)).toBe(summary);
    expect(Object.keys(components.schemas).filter((schema) => ids.get(`schema-${schema}`) !== schema)).toEqual([]);
  });

  it('shows parameters, fields, an example and a sample of a call', () => {
    expect(source).toMatch(/^\| `\w+` \| query \| .+ \| {2}\| .+ \|$/m);
    expect(source).toMatch(/^\| `id` \| string/m);
    for (const lang of ['http', 'json', 'shell', 'typescript']) expect(source).toContain(`\`\`\`${lang}\n`);
    expect(source).not.toMatch(/\| undefined|\[object/);
  });
});

it('the pages have a policy that allows nothing from other origins and nothing inline', async () => {
  const { headers } = await request(app).get('/docs');
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers['x-content-type-options']).toBe('nosniff');
});

describe('the pages of docs', () => {
  const names = [...site.pages.keys()];
  const htmlOf = (name: string): string => site.html(site.pages.get(name)!);
  const targets = new Set([...names.map((name) => `/docs/${name}`), '/docs', '/docs/site.css', '/docs/site.js']);

  it('are all there, each as a page and as Markdown', async () => {
    const files = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
    expect(names).toHaveLength(files.length + Object.keys(REFERENCES).length);
    const [html, source] = await Promise.all([request(app).get('/docs/webhooks'), request(app).get('/docs/webhooks.md')]);
    expect([html.status, html.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html.text).toContain('<h1 id="webhooks">');
    expect([source.headers['content-type'], source.text]).toEqual([
      'text/plain; charset=utf-8',
      readFileSync('docs/webhooks.md', 'utf8'),
    ]);
    expect((await request(app).get('/docs/specification/feed')).status).toBe(200);
    expect((await request(app).get('/docs/specification')).text).toContain('Who wins');
  });

  it.each(names)('every link of %s leads to a page and a heading that exist', (name) => {
    const own = linksOf(htmlOf(name)).filter((link) => !/^(https?:|mailto:|#main$)/.test(link));
    const wrong = own.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const to = path === '' ? `/docs/${name}` : path;
      if (to.startsWith('/docs/images/')) return !existsSync(to.slice(1));
      if (to.endsWith('.md')) return !targets.has(to.slice(0, -3));
      if (!targets.has(to)) return !STATIC_FILES.includes(to);
      const sections = site.pages.get(to.slice('/docs/'.length))?.sections ?? [];
      return anchor !== undefined && !sections.some(({ id }) => id === anchor);
    });
    expect(wrong).toEqual([]);
  });

  it.each(names.filter((name) => !(name in REFERENCES)))('each operation that %s names leads to the reference', (name) => {
    const { html, source } = site.pages.get(name)!;
    const named = [...source.matchAll(/(?<![[`])`((?:GET|POST|PUT|PATCH|DELETE) \/(?:apps|admin|custom-data)\/[\w/{}-]+)`/g)];
    const lost = named.filter(([, text = '']) => !html.includes(`"><code>${text}</code></a>`));
    expect(lost.map(([, text]) => text)).toEqual([]);
  });

  it('ids of headings are those of the page, each once', () => {
    for (const name of names) {
      const ids = [...htmlOf(name).matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids).toEqual(site.pages.get(name)?.sections.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('text of a page is text: nothing of it is a tag or a script', () => {
    const { html } = renderPage('x', '# A\n\n```\n<script>\n```\n\n`<b>` [x](a.md"onclick=)');
    expect(html).not.toMatch(/<script|<b>|"onclick/);
  });

  it('a page has at most 100 KB of script, and no inline script or style', () => {
    expect(Buffer.byteLength(SCRIPT)).toBeLessThan(100_000);
    for (const name of names) expect(htmlOf(name)).not.toMatch(/<script(?![^>]*\bsrc="\/docs\/site\.js")|<style|\bstyle=/i);
  });

  it('the search has every section, and llms.txt every page as Markdown', async () => {
    const sections = (await request(app).get('/docs/search.json')).body as { address: string; text: string }[];
    expect(sections.find(({ address }) => address === '/docs/webhooks#verifying')?.text).toContain('signature covers the bytes');
    const { text } = await request(app).get('/llms.txt');
    for (const name of names) expect(text).toContain(`(/docs/${name}.md): `);
  });

  it('what the pages load and lead to is served', async () => {
    for (const file of STATIC_FILES) expect((await request(app).get(file)).status, file).toBe(200);
    expect((await request(app).get('/docs/images/console-overview-dark.png')).headers['content-type']).toBe('image/png');
    expect((await request(app).get('/docs/images/..%2fwebhooks.md')).status).toBe(404);
  });

  it('/ leads to them where the server is at home', async () => {
    const home = express().use(docsRouter('plain', { isHome: true }));
    expect((await request(home).get('/')).headers['location']).toBe('/docs');
    expect((await request(app).get('/')).status).toBe(404);
  });

  it('308 from /docs/', async () => {
    const { status, headers } = await request(app).get('/docs/');
    expect([status, headers['location']]).toEqual([308, '/docs']);
  });

  it.each([
    '/docs/package.json',
    '/docs/index.html',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/Docs',
    '/docs/site.js.map',
  ])('404 for %s', async (path) => {
    expect((await request(app).get(path)).status).toBe(404);
  });
});
