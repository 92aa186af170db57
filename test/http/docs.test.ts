import express from 'express';
import { runInNewContext } from 'node:vm';
import request from 'supertest';
import { describe, expect, it } from 'vitest';

import { docsRouter } from '../../src/adapters/http/pages/docs.ts';

const app = express().use(docsRouter('plain'));
const { text: page } = await request(app).get('/docs');
const links = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');

describe('/docs', () => {
  it('200 with a page whose scripts and styles all have the same origin', () => {
    expect(links).toContain('/docs/swagger-ui-bundle.js');
    expect(links.filter((link) => !/^\/(docs\/|openapi\.json$)/.test(link))).toEqual([]);
  });

  it.each(links.filter((link) => link.startsWith('/docs/')))('200 for %s', async (link) => {
    const { status, headers, body, text } = await request(app).get(link).buffer(true);
    expect(status).toBe(200);
    expect((text || (body as Buffer)).length).toBeGreaterThan(100);
    expect(headers['x-content-type-options']).toBe('nosniff');
    const type = { js: /javascript/, css: /css/, png: /png/, md: /^text\/plain; charset=utf-8$/ }[
      link.split('.').at(-1) as 'js' | 'css' | 'png' | 'md'
    ];
    expect(headers['content-type']).toMatch(type);
  });

  it('links to the guides, which link back', async () => {
    for (const guide of ['getting-started', 'api-guide']) {
      expect(links).toContain(`/docs/${guide}.md`);
      expect((await request(app).get(`/docs/${guide}.md`)).text).toContain('/docs');
    }
  });

  it('has no inline script or style', () => {
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bon\w+=|\bstyle=/i);
  });

  it('has a style sheet that loads nothing', async () => {
    const { text } = await request(app).get('/docs/swagger-ui.css').buffer(true);
    const loaded = [...text.matchAll(/url\(\s*["']?([^"')]+)|@import\s+["']?([^"';]+)/g)].map(
      ([, url, sheet]) => url ?? sheet ?? '',
    );
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((address) => !address.startsWith('data:'))).toEqual([]);
  });

  it('has a policy that allows nothing from other origins and nothing inline', async () => {
    const { headers } = await request(app).get('/docs');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('shows the document of the same listener, and sends it to no public validator', async () => {
    const { text } = await request(app).get('/docs/start.js');
    const given: Record<string, unknown>[] = [];
    const bundle = Object.assign((options: Record<string, unknown>) => given.push(options), { presets: { apis: [] } });
    runInNewContext(text, { window: {}, SwaggerUIBundle: bundle });
    expect(given).toMatchObject([{ url: '/openapi.json', validatorUrl: null }]);
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
    '/docs/swagger-ui.js.map',
  ])('404 for %s', async (path) => {
    expect((await request(app).get(path)).status).toBe(404);
  });
});
