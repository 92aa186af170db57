import { afterAll, beforeAll, expect, it } from 'vitest';

import { queryOn } from '../support/query-on.ts';
import { eventually } from '../support/eventually.ts';
import { asAdmin, bulk, call } from '../support/server.ts';
import { subscribe } from '../support/webhooks.ts';
import { openShopOnCitus, type ShopOnCitus } from './shop-on-citus.ts';

let shop: ShopOnCitus;
let read = 0;

interface Commits {
  /**
   * Statements since the last call that the coordinator has prepared: on more than one node, or
   * where rows travelled to one.
   */
  readonly ofTwoPhases: readonly string[];
  readonly onTwoNodes: readonly string[];
}

const commits = (): Commits => {
  const text = shop.citus.coordinator.log().slice(read);
  read += text.length;
  // Group, process, transaction, and the number of the connection to a node.
  const prepared = [...text.matchAll(/issuing PREPARE TRANSACTION '(citus_\d+_\d+_\d+)_\d+'/g)].map(([, id = '']) => id);
  // A connection that is new has looked for its epoch, in a table that all nodes have.
  const isNew = new Set(
    [...text.matchAll(/\[(\d+)\] NOTICE: {2}executing the command locally: [^\n]*epochs/g)].map(([, pid]) => pid),
  );
  return {
    ofTwoPhases: prepared.filter((id) => !isNew.has(id.split('_')[2])),
    onTwoNodes: [...new Set(prepared.filter((id, at) => prepared.indexOf(id) !== at))],
  };
};

beforeAll(async () => {
  shop = await openShopOnCitus(['citus.log_remote_commands = on', `log_min_messages = 'notice'`]);
  // The start writes to tables that all nodes have.
  commits();
});
afterAll(() => shop.close());

it.each([
  [
    'a subscription',
    async ({ server, receiver, apps }: ShopOnCitus) => {
      for (const app of apps) await subscribe(server, app, receiver.url, 'product.updated');
      await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(apps.length));
    },
  ],
  [
    'reads',
    async ({ server, apps }: ShopOnCitus) => {
      for (const { headers, productIds } of apps)
        for (const path of ['/apps/catalog/products', `/apps/catalog/products/${productIds[0] ?? ''}`, '/apps/events'])
          expect((await call(`${server.url}${path}`, 'GET', headers)).status).toBe(200);
    },
  ],
  [
    'a bulk update, its replay, its conflict, and its delivery',
    async ({ server, receiver, apps }: ShopOnCitus) => {
      const before = receiver.received.length;
      for (const app of apps) {
        const name = [{ id: app.productIds[0], name: 'Of one phase' }];
        const [first, again] = [await bulk(server, app, 'key', name), await bulk(server, app, 'key', name)];
        expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
        expect(again.headers['idempotent-replay']).toBe('true');
        expect((await bulk(server, app, 'key', [{ id: app.productIds[1], name: 'Other' }])).status).toBe(422);
      }
      await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(before + apps.length));
    },
  ],
  [
    'prices and stock',
    async ({ server, apps }: ShopOnCitus) => {
      for (const app of apps) {
        const body = JSON.stringify({ variants: [{ sku: 'sku-0', price: 12 }] });
        const headers = { ...app.headers, 'idempotency-key': 'price' };
        const answer = await call(`${server.url}/apps/catalog/variants/bulk`, 'POST', headers, body);
        expect(answer.status, answer.body).toBe(200);
      }
    },
  ],
  [
    'an uninstallation',
    async ({ server, apps }: ShopOnCitus) => {
      for (const app of apps) {
        const path = `/admin/apps/${app.installationId}/uninstall`;
        expect((await asAdmin(server, 'POST', path)).status).toBeLessThan(300);
        expect((await call(`${server.url}/apps/catalog/products`, 'GET', app.headers)).status).toBe(401);
      }
    },
  ],
])('%s: no commit is on two nodes, nor has two phases', async (_title, live) => {
  await live(shop);
  const { ofTwoPhases, onTwoNodes } = commits();
  expect(onTwoNodes).toEqual([]);
  expect(ofTwoPhases).toEqual([]);
  expect(shop.server.errors).toEqual([]);
});

it('the log shows a commit on two nodes', async () => {
  await queryOn(shop.citus.coordinator.url, `UPDATE stores SET name = name || ''`);
  expect(commits().onTwoNodes).toHaveLength(1);
});
