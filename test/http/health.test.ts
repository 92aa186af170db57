import request from 'supertest';
import { describe, expect, it } from 'vitest';

import { healthRoutes } from '../../src/adapters/http/pages/health.ts';
import { createReadiness, degradedBy } from '../../src/adapters/http/pages/readiness.ts';
import { memoryHttpApp, RESOURCES } from '../support/http-app.ts';
import { latch } from '../support/latch.ts';

describe('/readyz', () => {
  /** A node whose one check counts how often it is judged, by a clock that the test turns. */
  const aNode = (check: () => Promise<boolean>) => {
    const node = { judged: 0, now: 0 };
    const counted = () => {
      node.judged += 1;
      return check();
    };
    const readiness = createReadiness({ database: counted }, () => node.now);
    const app = memoryHttpApp({ routes: healthRoutes('plain'), resources: { ...RESOURCES, readiness } });
    return { node, get: () => request(app).get('/readyz') };
  };
  const READY = { status: 'ok', checks: { database: 'ok' } };
  const NOT_READY = { status: 'unavailable', checks: { database: 'failing' } };

  it.each([
    ['200', 200, READY, () => Promise.resolve(true)],
    ['503 when a check gives false', 503, NOT_READY, () => Promise.resolve(false)],
    ['503 when a check throws', 503, NOT_READY, () => Promise.reject(new Error('no connection'))],
  ] as const)('%s, checked at most once a second', async (_title, status, body, check) => {
    const { node, get } = aNode(check);
    for (const now of [0, 1, 500, 999]) {
      node.now = now;
      const answer = await get();
      expect([answer.status, answer.body]).toEqual([status, body]);
    }
    expect(node.judged).toBe(1);
    node.now = 1_000;
    await get();
    expect(node.judged).toBe(2);
  });

  it('200 with the check as degraded when the node serves requests without what it asks', async () => {
    const judge = createReadiness({ database: () => Promise.resolve(true), queue: () => Promise.resolve(false) });
    const resources = { ...RESOURCES, readiness: degradedBy('queue', judge) };
    const answer = await request(memoryHttpApp({ routes: healthRoutes('plain'), resources })).get('/readyz');
    const body = { status: 'ok', checks: { database: 'ok', queue: 'degraded' } };
    expect([answer.status, answer.body]).toEqual([200, body]);
  });

  it('concurrent requests share one check, also if it takes longer than a second', async () => {
    const held = latch();
    let judged = 0;
    let now = 0;
    const check = async () => {
      judged += 1;
      await held.opened;
      return true;
    };
    const readiness = createReadiness({ database: check }, () => now);
    const answers = [readiness(), readiness()];
    now = 1_500;
    answers.push(readiness());
    held.open();
    expect(await Promise.all(answers)).toEqual([{ database: 'ok' }, { database: 'ok' }, { database: 'ok' }]);
    expect(judged).toBe(1);
    await readiness();
    expect(judged).toBe(2);
  });
});
