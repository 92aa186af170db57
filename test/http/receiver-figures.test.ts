import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ReceiverFigures } from '../../src/adapters/http/answers.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { respond, startReceiver, type Receiver } from '../support/receiver.ts';

const NOBODY = '019a0000-0000-7000-8000-00000000dead';

describe('GET /admin/stores/{storeId}/webhooks/subscriptions/{id}/figures', () => {
  let app: OpenApp;
  let store: TestStore;
  let receiver: Receiver;
  let id: string;
  beforeAll(async () => {
    app = await openApp({ WEBHOOK_RETRY_SECONDS: '0,3600', WEBHOOK_RETRY_JITTER: '0' });
    receiver = await startReceiver();
    store = await app.aStore();
    const wanted = { url: receiver.url, eventTypes: ['order.paid'] };
    const made = await app.admin('post', `/admin/stores/${store.id}/webhooks/subscriptions`).send(wanted).expect(200);
    id = (made.body as { id: string }).id;
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  const get = (query = '', storeId = store.id, subscription = id) =>
    app.admin('get', `/admin/stores/${storeId}/webhooks/subscriptions/${subscription}/figures${query}`);
  const figures = async (query = ''): Promise<ReceiverFigures> => (await get(query).expect(200)).body as ReceiverFigures;

  it('counts the attempts over time, says what was answered, what waits and what failed last', async () => {
    await eventually(async () => expect((await figures()).answers.items).toEqual([{ status: 204, error: null, count: 1 }]));
    expect(await figures()).toMatchObject({
      step: 'hour',
      answers: { isComplete: true, lastFailure: null },
      waiting: { count: 0, isComplete: true, oldest: null },
    });
    receiver.answer(respond(503, 'busy'));
    await app.admin('post', `/admin/stores/${store.id}/events`).send({ type: 'order.paid', data: {} }).expect(202);
    await eventually(async () => expect((await figures()).answers.deliveries).toBe(2));
    await eventually(async () => expect((await figures()).answers.items).toHaveLength(2));
    const { steps, answers, waiting, p50, p95 } = await figures();
    const sum = (of: (step: ReceiverFigures['steps'][number]) => number) => steps.reduce((total, step) => total + of(step), 0);
    expect([sum(({ attempts }) => attempts['2xx']), sum(({ attempts }) => attempts['5xx'])]).toEqual([1, 1]);
    expect(sum(({ deliveries }) => deliveries.delivered)).toBe(1);
    expect(p50?.ms).toBeGreaterThan(0);
    expect(p95?.ms).toBeGreaterThanOrEqual(p50?.ms ?? Infinity);
    expect(answers.items).toContainEqual({ status: 503, error: null, count: 1 });
    const { body: failed } = await app.admin('get', `/admin/deliveries/${answers.lastFailure?.deliveryId ?? ''}`).expect(200);
    expect(failed).toMatchObject({ subscriptionId: id, status: 'Retrying', log: [{ number: 1, response: 'busy' }] });
    expect(waiting).toMatchObject({ count: 1, isComplete: true, oldest: { deliveryId: answers.lastFailure?.deliveryId } });
  });

  it('has minutes in a short range and days in a long one, and nothing of another time', async () => {
    const ago = (hours: number) => encodeURIComponent(new Date(Date.now() - hours * 3_600_000).toISOString());
    expect((await figures(`?since=${ago(1)}`)).step).toBe('minute');
    expect((await figures(`?since=${ago(24 * 30)}`)).step).toBe('day');
    expect((await figures(`?since=${ago(24)}&step=minute`)).step).toBe('minute');
    expect(await figures(`?since=${ago(48)}&until=${ago(24)}`)).toMatchObject({
      steps: [],
      p50: null,
      p95: null,
      answers: { items: [], deliveries: 0, lastFailure: null },
      waiting: { count: 1 },
    });
  });

  it.each(['?since=x', '?step=year', '?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', '?until=1970-01-01T00:00:00Z'])(
    '400 for %s',
    async (query) => {
      await get(query).expect(400);
    },
  );

  it('404 for a subscription of another store, an unknown one and an id that is not a UUID', async () => {
    await get('', (await app.aStore()).id).expect(404);
    await get('', store.id, NOBODY).expect(404);
    await get('', store.id, 'x').expect(404);
  });
});
