import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { CallFigures } from '../../src/adapters/http/answers.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };

describe('the calls of an app', () => {
  /** The called server writes its counts when it stops. The reader reads them. */
  let called: OpenApp;
  let reader: OpenApp;
  let made: TestApp;
  let quiet: TestApp;

  /** A wait for the feed whose client leaves. */
  const leave = async (token: string): Promise<void> => {
    const watch = vi.spyOn(called.container.resolve(TOKENS.ports).feedSignal, 'watch');
    const headers = { Host: made.store.domain, Authorization: `Bearer ${token}` };
    const sent = get(`${called.url}/apps/events?wait=25`, { headers });
    await vi.waitUntil(() => watch.mock.settledResults.some(({ type }) => type === 'fulfilled'), 30_000);
    sent.on('error', () => undefined).destroy();
    await vi.waitUntil(() => called.logged().some(({ aborted }) => aborted === true), 30_000);
  };
  const signIn = async (): Promise<string> => {
    const { clientId, clientSecret } = made;
    const signedIn = await reader
      .api(made.store.domain, null)('post', '/apps/console/session')
      .set(OWN_PAGE)
      .send({ clientId, clientSecret })
      .expect(200);
    return signedIn.headers['set-cookie']?.[0] ?? '';
  };
  const figures = async (query = ''): Promise<CallFigures> =>
    (await reader.admin('get', `/admin/apps/${made.id}/calls${query}`).expect(200)).body as CallFigures;

  beforeAll(async () => {
    called = await openApp({ APP_CONSOLE: 'on' });
    reader = await openApp({ APP_CONSOLE: 'on' }, called);
    const store = await called.aStore();
    made = await called.anApp(store, ['read_products']);
    quiet = await called.anApp(store);
    const token = await called.token(made);
    const call = called.api(store.domain, token);
    const { headers } = await call('get', '/apps/catalog/products').expect(200);
    await call('get', '/apps/catalog/products').set('If-None-Match', String(headers['etag'])).expect(304);
    await call('get', '/apps/catalog/products/x').expect(404);
    await call('get', '/apps/webhooks/deliveries').expect(403);
    await called.api(store.domain, 'wrong')('get', '/apps/catalog/products').expect(401);
    await leave(token);
    await called.stop();
  });
  afterAll(() => reader.close());

  it('are counted by the class of their answer, with how long they took', async () => {
    const { steps, step, p50, p95 } = await figures();
    expect(step).toBe('hour');
    expect(steps.map(({ answers }) => answers)).toEqual([{ '2xx': 1, '3xx': 1, '4xx': 2, '5xx': 0, none: 1 }]);
    expect(p50?.ms).toBeGreaterThan(0);
    expect(p95?.ms).toBeGreaterThanOrEqual(p50?.ms ?? Infinity);
  });

  it('a wait for the feed has no part in the times', async () => {
    const rows = await reader.database.query('SELECT latency FROM call_figures');
    expect(rows.flatMap(({ latency }) => latency as number[]).reduce((sum, count) => sum + count, 0)).toBe(4);
  });

  it('are those of this app alone, and of the range that is asked for', async () => {
    const { body } = await reader.admin('get', `/admin/apps/${quiet.id}/calls`).expect(200);
    expect(body).toMatchObject({ steps: [], p50: null, p95: null });
    const ago = (hours: number) => encodeURIComponent(new Date(Date.now() - hours * 3_600_000).toISOString());
    expect((await figures(`?since=${ago(48)}&until=${ago(24)}`)).steps).toEqual([]);
    expect((await figures(`?since=${ago(1)}`)).step).toBe('minute');
  });

  it.each(['?since=x', '?step=year', '?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z'])('400 for %s', async (query) => {
    await reader.admin('get', `/admin/apps/${made.id}/calls${query}`).expect(400);
  });

  it('its developer sees them in the app console, which does not count as a call', async () => {
    const before = await figures();
    const Cookie = await signIn();
    const answer = await reader
      .api(made.store.domain, null)('get', '/apps/console/api/calls')
      .set({ ...OWN_PAGE, Cookie })
      .expect(200);
    expect((answer.body as CallFigures).steps).toEqual(before.steps);
    await reader.stop();
    const rows = await reader.database.query<{ n: number }>('SELECT sum(answers[1])::int AS n FROM call_figures');
    expect(rows).toEqual([{ n: 1 }]);
    reader = await openApp({ APP_CONSOLE: 'on' }, reader);
  });

  it('tenon app calls has a line for each step', async () => {
    const env = { TENON_ADMIN_URL: reader.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN, NO_COLOR: '1' };
    const { out, err, status } = await runCommand(['app', 'calls', made.id], { env });
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^[\d-]+T\d\d:00:00\.000Z\t5\t1\t1\t2\t0\t1\t[\d.]+\t[\d.]+\n$/);
    const shown = await runCommand(['app', 'calls', made.id], { env, terminal: true });
    expect(shown.out).toMatch(/CALLS +2XX +3XX +4XX +5XX +LEFT +P50 +P95/);
  });
});
