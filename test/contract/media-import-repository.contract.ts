import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import {
  isOpen,
  UNINSTALLED,
  withOutcome,
  type ItemContent,
  type ItemOutcome,
  type MediaImport,
} from '../../src/domain/media/media-import.ts';
import type { InstallationStatus } from '../../src/domain/identity/installation.ts';
import type { ImportOwner, ImportTask } from '../../src/domain/ports/media/media-import-repository.ts';
import type { Ids } from '../../src/domain/ports/ids.ts';
import type { Ports, TransactionPorts } from '../../src/domain/ports/index.ts';
import type { Work } from '../../src/domain/ports/transaction.ts';
import type { StoreStatus } from '../../src/domain/identity/store.ts';
import { beforeAll } from './hooks.ts';
import { lockOrder, WAITS } from './lock-order.ts';

export interface MediaImportWorld {
  readonly ports: Pick<Ports, 'transaction' | 'mediaImports' | 'stores' | 'installations' | 'clock'>;
  readonly ids: Ids;
  /** A product of one variant. */
  aProduct(storeId: string): Promise<{ readonly id: string; readonly variantId: string }>;
  setStore(id: string, status: StoreStatus): Promise<void>;
  setApp(id: string, status: InstallationStatus): Promise<void>;
  removeProduct(storeId: string, id: string): Promise<void>;
  /** Moves the ends of imports this many days back. */
  passDays(days: number): Promise<void>;
  close(): Promise<void>;
}

const FAILED: ItemOutcome = { status: 'Failed', errorCode: 'too_large', error: 'the image has more than 20 MiB' };
const READY: ItemOutcome = { status: 'Ready' };

export const mediaImportRepositoryContract = (name: string, open: () => Promise<MediaImportWorld>): void => {
  describe(`MediaImportRepository on ${name}`, () => {
    let world: MediaImportWorld;
    let storeId: string;
    let app: string;
    let product: { readonly id: string; readonly variantId: string };
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    const install = async (): Promise<string> => {
      const id = world.ids.next();
      const clientSecret = { id: world.ids.next(), hash: id.replaceAll('-', '').repeat(2) };
      const secrets = { clientSecret, signingSecret: { id: world.ids.next(), sealed: 'sealed' } };
      const made = { id, storeId, name: 'App', clientId: id, scopes: ['write_products'] as const, ...secrets };
      await world.ports.installations.create(made);
      return id;
    };
    beforeEach(async () => {
      storeId = world.ids.next();
      await world.ports.stores.create({ id: storeId, domain: `${storeId}.test`, name: 'Store', currency: 'EUR' });
      app = await install();
      product = await world.aProduct(storeId);
    });
    const run = <T>(work: Work<T>): Promise<T> => world.ports.transaction.run(null, work);
    const anItem = (over: Partial<ItemContent> = {}): ItemContent => ({
      sourceUrl: 'https://x.test/a.png',
      productId: product.id,
      productVariantId: null,
      altText: null,
      position: null,
      aiGenerated: false,
      ...over,
    });
    const create = async (items: readonly ItemContent[] = [anItem()], installationId = app): Promise<MediaImport> => {
      const id = world.ids.next();
      const given = items.map((item) => ({ ...item, mediaId: world.ids.next() }));
      await run((tx) => tx.mediaImports.create({ id, storeId, installationId, items: given }));
      return (await world.ports.mediaImports.get({ storeId, installationId }, id)) ?? expect.fail('not created');
    };
    const settle = (id: string, index: number, outcome: ItemOutcome): Promise<MediaImport | null> =>
      run(async (tx) => {
        const found = await tx.mediaImports.lockOpen(storeId, id);
        if (!found) return null;
        const after = withOutcome(found, index, outcome);
        await tx.mediaImports.settle(after, index);
        return after;
      });
    const owner = (installationId = app): ImportOwner => ({ storeId, installationId });
    const { begin, get, requeue, toRun } = {
      begin: (begun: readonly ImportTask[] = [], installationId = app) =>
        world.ports.mediaImports.begin({ storeId, installationId }, begun),
      get: (id: string) => world.ports.mediaImports.get(owner(), id),
      requeue: (begun: readonly ImportTask[]) => world.ports.mediaImports.requeue(storeId, begun),
      toRun: async (installationId?: string) =>
        (await world.ports.mediaImports.toRun({ storeId, installationId })).map(({ installationId: id }) => id),
    };
    const begun = async (before: readonly ImportTask[] = []): Promise<ImportTask> =>
      (await begin(before)) ?? expect.fail('nothing to begin');

    describe('create', () => {
      it('Adds a queued import with all of its items pending.', async () => {
        const made = await create([anItem(), anItem({ altText: 'A' })]);
        const pending = { status: 'Pending', errorCode: null, error: null, retryAt: null, retryReason: null };
        expect(made).toEqual({
          id: made.id,
          storeId,
          installationId: app,
          requestId: null,
          status: 'Queued',
          items: [0, 1].map((index) => ({ index, ...pending, mediaId: expect.any(String) as string })),
        });
        expect(new Set(made.items.map(({ mediaId }) => mediaId)).size).toBe(2);
      });
      it('Keeps the id of the request that is the cause.', async () => {
        const [id, requestId] = [world.ids.next(), world.ids.next()];
        const items = [{ ...anItem(), mediaId: world.ids.next() }];
        await world.ports.transaction.run({ requestId }, (tx) =>
          tx.mediaImports.create({ id, storeId, installationId: app, items }),
        );
        expect([(await get(id))?.requestId, (await run((tx) => tx.mediaImports.lockOpen(storeId, id)))?.requestId]).toEqual([
          requestId,
          requestId,
        ]);
      });
      it('Keeps the trace of that request.', async () => {
        const [id, traceparent] = [world.ids.next(), '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'];
        const items = [{ ...anItem(), mediaId: world.ids.next() }];
        await world.ports.transaction.run({ requestId: null, traceparent }, (tx) =>
          tx.mediaImports.create({ id, storeId, installationId: app, items }),
        );
        expect(await world.ports.mediaImports.begin({ storeId, installationId: app }, [])).toMatchObject({
          importId: id,
          traceparent,
        });
      });
    });
    describe('get', () => {
      it("Returns the installation's own import.", async () => {
        const [mine, other] = [await create(), await install()];
        expect(await get(mine.id)).toEqual(mine);
        expect(await world.ports.mediaImports.get(owner(other), mine.id)).toBeNull();
      });
      it('Returns null when the installation has no import with this id.', async () => {
        expect(await get(world.ids.next())).toBeNull();
      });
    });
    describe('begin', () => {
      it("Begins the installation's next open item: of the oldest import, by index.", async () => {
        const full = { productVariantId: product.variantId, altText: 'A saw', position: 3, aiGenerated: true };
        const [first, second] = [await create([anItem(), anItem(full)]), await create()];
        const tasks = [await begun()];
        tasks.push(await begun(tasks));
        tasks.push(await begun(tasks));
        const common = { storeId, installationId: app, requestId: null, traceparent: null, missing: null, tries: 0, asked: 0 };
        expect(tasks).toEqual([
          { ...common, ...anItem(), importId: first.id, index: 0, mediaId: first.items[0]?.mediaId },
          { ...common, ...anItem(full), importId: first.id, index: 1, mediaId: first.items[1]?.mediaId },
          { ...common, ...anItem(), importId: second.id, index: 0, mediaId: second.items[0]?.mediaId },
        ]);
        expect(await begin(tasks)).toBeNull();
      });
      it('Marks the item as Downloading and its import as Running.', async () => {
        const { id } = await create([anItem(), anItem()]);
        await begun();
        expect(await get(id)).toMatchObject({ status: 'Running', items: [{ status: 'Downloading' }, { status: 'Pending' }] });
      });
      it('Skips the items in `begun`, which the caller has not ended yet.', async () => {
        await create([anItem(), anItem()]);
        const first = await begun();
        expect(await begun([first])).toMatchObject({ index: 1 });
      });
      it('Skips items of the hosts in `busy`.', async () => {
        const urls = ['https://Slow.test:8443/a', 'https://slow.test/b', 'https://quick.test?slow.test'];
        await create(urls.map((sourceUrl) => anItem({ sourceUrl })));
        const busy = ['slow.test:8443', 'slow.test'];
        const task = await world.ports.mediaImports.begin(owner(), [], busy);
        expect(task).toMatchObject({ index: 2 });
        expect(await world.ports.mediaImports.begin(owner(), task ? [task] : [], busy)).toBeNull();
        expect(await world.ports.mediaImports.begin(owner(), [], ['slow.test:8443'])).toMatchObject({ index: 1 });
      });
      it('Skips items that wait to be tried again.', async () => {
        await create([anItem(), anItem()]);
        await world.ports.mediaImports.postpone(await begun(), 3600, 'busy');
        expect(await begun()).toMatchObject({ index: 1 });
      });
      it('Begins again an item that an earlier worker left.', async () => {
        await create();
        expect([(await begun()).tries, (await begun()).tries, (await begun()).tries]).toEqual([0, 1, 2]);
      });
      it('Returns null while the app is suspended or uninstalled, or the store is inactive.', async () => {
        const { id } = await create();
        for (const status of ['Suspended', 'Uninstalled'] as const) {
          await world.setApp(app, status);
          expect(await begin()).toBeNull();
        }
        await world.setApp(app, 'Installed');
        await world.setStore(storeId, 'Inactive');
        expect(await begin()).toBeNull();
        expect(await get(id)).toMatchObject({ status: 'Queued', items: [{ status: 'Pending' }] });
        await world.setStore(storeId, 'Active');
        expect(await begin()).not.toBeNull();
      });
      it('Says what is missing for the item.', async () => {
        const [other, gone] = [await world.aProduct(storeId), await world.aProduct(storeId)];
        await world.removeProduct(storeId, gone.id);
        await create([
          anItem({ productId: world.ids.next() }),
          anItem({ productId: gone.id }),
          anItem({ productVariantId: other.variantId }),
          anItem({ productVariantId: product.variantId }),
        ]);
        const tasks: ImportTask[] = [];
        for (let n = 0; n < 4; n += 1) tasks.push(await begun(tasks));
        expect(tasks.map(({ missing }) => missing)).toEqual([
          'product_not_found',
          'product_not_found',
          'variant_not_found',
          null,
        ]);
      });
      describe('Returns null when no item is open.', () => {
        it('when all items have ended', async () => {
          const { id } = await create([anItem(), anItem()]);
          await settle(id, 0, READY);
          expect(await begun()).toMatchObject({ importId: id, index: 1 });
          await settle(id, 1, FAILED);
          expect(await begin()).toBeNull();
        });
        it('when only another installation has open items', async () => {
          await create();
          expect(await begin([], await install())).toBeNull();
        });
      });
    });
    describe('requeue', () => {
      it("Marks those of the store's items that have not ended as Pending, as if they had not been begun.", async () => {
        const { id } = await create([anItem(), anItem()]);
        const first = await begun();
        const second = await begun([first]);
        await settle(id, 0, READY);
        await requeue([first, second]);
        await requeue([]);
        expect(await get(id)).toMatchObject({ status: 'Running', items: [{ status: 'Ready' }, { status: 'Pending' }] });
        expect((await begun()).tries).toBe(0);
      });
    });
    describe('postpone', () => {
      const postpone = async (seconds: number): Promise<ImportTask> => {
        const task = await begun();
        await world.ports.mediaImports.postpone(task, seconds, 'The host is busy.');
        return task;
      };
      /** Behind the database's milliseconds. */
      const DUE = -1;
      const waiting = { status: 'Pending', retryReason: 'The host is busy.', retryAt: expect.any(String) as string };
      const not = { retryReason: null, retryAt: null };
      it('Marks the item as Pending, to be tried again after this many seconds.', async () => {
        const { id } = await create();
        await postpone(DUE);
        const again = await begun();
        expect(again).toMatchObject({ importId: id, index: 0 });
        await world.ports.mediaImports.postpone(again, 86_400, 'The host is busy.');
        expect(await begin()).toBeNull();
      });
      it('Counts that its host was asked, and not that it was begun.', async () => {
        await create();
        for (const asked of [0, 1, 2]) expect(await postpone(DUE)).toMatchObject({ asked, tries: 0 });
        await begun();
        expect(await begun()).toMatchObject({ asked: 3, tries: 1 });
      });
      it('Shows the reason and the time until it is begun or ends.', async () => {
        const { id } = await create([anItem(), anItem()]);
        await postpone(DUE);
        expect(await get(id)).toMatchObject({ status: 'Running', items: [waiting, not] });
        await begun();
        expect(await get(id)).toMatchObject({ items: [{ status: 'Downloading', ...not }, not] });
        await postpone(3600);
        expect(await get(id)).toMatchObject({ items: [waiting, not] });
        await run((tx) => tx.mediaImports.endAll(owner()));
        expect(await get(id)).toMatchObject({ items: [not, not] });
      });
      it('Does nothing when the item has ended.', async () => {
        const { id } = await create();
        const task = await begun();
        await settle(id, 0, FAILED);
        const before = await get(id);
        await world.ports.mediaImports.postpone(task, 1, 'late');
        expect(await get(id)).toEqual(before);
      });
    });
    describe('lockOpen', () => {
      const lockOpen = (id: string) => run((tx) => tx.mediaImports.lockOpen(storeId, id));
      it('Returns the open import.', async () => {
        const made = await create();
        expect(await lockOpen(made.id)).toEqual(made);
      });
      it('Keeps other transactions from locking it until this one ends.', async () => {
        const { id } = await create();
        const lock = ({ mediaImports }: TransactionPorts) => mediaImports.lockOpen(storeId, id);
        expect(await lockOrder(world.ports.transaction, lock, lock)).toEqual(WAITS);
      });
      it('Returns null when the import has ended or does not exist.', async () => {
        const { id } = await create();
        await settle(id, 0, READY);
        expect(await lockOpen(id)).toBeNull();
        expect(await lockOpen(world.ids.next())).toBeNull();
      });
    });
    describe('settle', () => {
      it("Writes the state of the item with this index, and the import's status.", async () => {
        const { id } = await create([anItem(), anItem()]);
        const half = await settle(id, 1, FAILED);
        expect(half).toMatchObject({ status: 'Running', items: [{ status: 'Pending' }, { ...FAILED }] });
        expect(await get(id)).toEqual(half);
        const whole = await settle(id, 0, READY);
        expect(whole).toMatchObject({ status: 'CompletedWithErrors', items: [READY, { ...FAILED }] });
        expect(await get(id)).toEqual(whole);
      });
    });
    describe('toRun', () => {
      it('Returns the installations with open imports, each once.', async () => {
        const other = await install();
        expect(await toRun()).toEqual([]);
        const { id } = await create();
        await create();
        await create([anItem()], other);
        expect([...(await toRun())].sort()).toEqual([app, other].sort());
        await begun();
        await settle(id, 0, READY);
        expect(await toRun(app)).toEqual([app]);
      });
      it('Limits them to one store or one installation.', async () => {
        const other = await install();
        await create();
        await create([anItem()], other);
        expect(await toRun(other)).toEqual([other]);
        expect(await world.ports.mediaImports.toRun()).toEqual(expect.arrayContaining([owner(), owner(other)]));
        expect(await world.ports.mediaImports.toRun({ storeId: world.ids.next() })).toEqual([]);
      });
      it('Leaves out installations that are suspended or whose store is inactive.', async () => {
        await create();
        await world.setApp(app, 'Suspended');
        expect(await toRun()).toEqual([]);
        await world.setApp(app, 'Installed');
        await world.setStore(storeId, 'Inactive');
        expect(await toRun()).toEqual([]);
      });
      it('Includes uninstalled apps, whose imports must end.', async () => {
        await create();
        await world.setStore(storeId, 'Inactive');
        await world.setApp(app, 'Uninstalled');
        expect(await toRun()).toEqual([app]);
      });
    });
    describe('endAll', () => {
      it('Ends all open imports of the installation as Failed, with their open items as `uninstalled`.', async () => {
        const [first, second, done] = [await create([anItem(), anItem()]), await create(), await create()];
        const other = await install();
        const theirs = await create([anItem()], other);
        await settle(first.id, 0, READY);
        await begun();
        await settle(done.id, 0, READY);
        const ended = await run((tx) => tx.mediaImports.endAll(owner()));
        expect(ended).toMatchObject([
          { id: first.id, status: 'Failed', items: [{ status: 'Ready', errorCode: null }, UNINSTALLED] },
          { id: second.id, status: 'Failed', items: [UNINSTALLED] },
        ]);
        expect(await get(first.id)).toEqual(ended[0]);
        expect(await get(done.id)).toMatchObject({ status: 'Completed' });
        expect((await world.ports.mediaImports.get(owner(other), theirs.id))?.items.every(isOpen)).toBe(true);
        expect(await run((tx) => tx.mediaImports.endAll(owner()))).toEqual([]);
        expect(await begin()).toBeNull();
      });
      it('Returns them, oldest first.', async () => {
        const [first, second] = [await create(), await create()];
        expect((await run((tx) => tx.mediaImports.endAll(owner()))).map(({ id }) => id)).toEqual([first.id, second.id]);
      });
    });
    describe('purge', () => {
      it('Deletes at most `limit` imports that ended more than `days` days ago, and returns how many.', async () => {
        const [one, two, open] = [await create(), await create(), await create()];
        for (const { id } of [one, two]) await settle(id, 0, FAILED);
        const { purge } = world.ports.mediaImports;
        const before = await purge(30, 1_000);
        expect(await get(one.id)).not.toBeNull();
        await world.passDays(31);
        const recent = await create();
        await settle(recent.id, 0, READY);
        // Imports of earlier tests are as old.
        let removed = 0;
        for (let count = 1; count === 1; removed += count) count = await purge(30, 1);
        expect(removed).toBeGreaterThanOrEqual(2 - before);
        expect(await Promise.all([one, two, open, recent].map(async ({ id }) => (await get(id)) !== null))).toEqual([
          false,
          false,
          true,
          true,
        ]);
      });
    });
    describe('open', () => {
      it('Counts the imports that are queued or running.', async () => {
        const before = await world.ports.mediaImports.open();
        await create([anItem(), anItem()]);
        const { id } = await create();
        await begun();
        expect(await world.ports.mediaImports.open()).toBe(before + 2);
        await settle(id, 0, READY);
        expect(await world.ports.mediaImports.open()).toBe(before + 1);
      });
      it('Does not count imports of suspended apps or inactive stores.', async () => {
        const before = await world.ports.mediaImports.open();
        await create();
        await world.setApp(app, 'Suspended');
        expect(await world.ports.mediaImports.open()).toBe(before);
        await world.setApp(app, 'Installed');
        await world.setStore(storeId, 'Inactive');
        expect(await world.ports.mediaImports.open()).toBe(before);
      });
    });
  });
};
