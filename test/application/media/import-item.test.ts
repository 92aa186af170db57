import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';

import { productsOf } from '../../memory/catalogue/catalogue-tables.ts';
import { mediaFilesOf } from '../../memory/media/media-file-repository.ts';
import type { MemoryAnswer } from '../../memory/media/media-source.ts';
import { createMemoryState, type MemoryState } from '../../memory/state.ts';
import { eventsOf } from '../../memory/webhooks/event-repository.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { createMediaImport } from '../../../src/application/media/create-media-import.ts';
import { mediaLookups } from '../../../src/application/media/lookups.ts';
import { importItem } from '../../../src/application/media/import-item.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';
import type { ItemInput } from '../../../src/domain/media/import-request.ts';
import type { ImportView, ObservedItem } from '../../../src/domain/media/media-import.ts';
import type { ImportTask } from '../../../src/domain/ports/media/media-import-repository.ts';
import type { Lease } from '../../../src/domain/ports/work-lease.ts';
import { latch } from '../../support/latch.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const PRODUCT = '00000000-0000-7000-8000-00000000000a';
const URL_OF_ITEM = 'https://x.test/a';
const BYTES = Buffer.from('GIF89a of one pixel');

let state: MemoryState;
let world: MemoryWorld;
let caller: Caller;
let answer: () => MemoryAnswer;
let observed: ObservedItem[];
let stop: AbortController;

beforeEach(async () => {
  answer = () => ({ bytes: BYTES, width: 3, height: 2 });
  [state, observed, stop] = [createMemoryState(), [], new AbortController()];
  world = openMemoryPorts({}, state, { answer: () => answer() });
  const [storeId, installationId] = [world.ids.next(), world.ids.next()];
  await world.stores.create({ id: storeId, domain: 'a.test', name: 'A', currency: 'EUR' });
  const secrets = { clientSecret: { id: world.ids.next(), hash: '' }, signingSecret: { id: world.ids.next(), sealed: '' } };
  const app = { id: installationId, storeId, name: 'App', clientId: installationId, scopes: ['write_products'] } as const;
  await world.installations.create({ ...app, ...secrets });
  caller = { storeId, installationId, scopes: ['write_products'] };
  await saveProducts(world)(null, storeId, [
    { id: PRODUCT, name: 'Saw', slug: 'saw', variants: [{ sku: 'S', currency: 'EUR' }] },
  ]);
  eventsOf(state).clear();
});

/** A lease whose answers to mayBegin are these, and then yes. */
const leaseOf = (...answers: boolean[]): Lease => ({
  signal: stop.signal,
  mayBegin: () => answers.shift() ?? true,
  release: () => Promise.resolve(),
});
const begin = async (over: Partial<ItemInput> = {}): Promise<ImportTask> => {
  const items = [{ sourceUrl: URL_OF_ITEM, productId: PRODUCT, ...over }];
  const created = await world.transaction.run(null, (tx) => createMediaImport(world)(tx, caller, items));
  if (!created.ok) expect.fail(created.message);
  return (await world.mediaImports.begin(caller, [])) ?? expect.fail('no item is open');
};
const run = (task: ImportTask, lease = leaseOf(), turn: Promise<unknown> = Promise.resolve()): Promise<number | null> =>
  importItem(world, {
    mediaUrl: 'https://m.test/media',
    retryWaits: [5, 30, 120, 600],
    onItem: (item) => void observed.push(item),
  })(task, lease, turn);
const viewOf = async ({ importId }: ImportTask): Promise<ImportView> => {
  const found = await mediaLookups(world).getMediaImport(caller, importId);
  return found.ok ? found.value : expect.fail(found.message);
};
const media = () => productsOf(state).get(`${caller.storeId}/${PRODUCT}`)?.media ?? [];
const eventTypes = () => [...eventsOf(state).values()].map(({ type }) => type);
/** Nothing was written, and no local file is left. */
const expectUntouched = async (task: ImportTask): Promise<void> => {
  expect(await viewOf(task)).toMatchObject({ status: 'Running', items: [{ status: 'Downloading' }] });
  expect([media(), eventTypes(), observed, [...world.mediaSource.files]]).toEqual([[], [], [], []]);
};

describe('an item', () => {
  it('becomes a media with the address, the size and the type of its file', async () => {
    const task = await begin({ altText: 'A saw', position: 4 });
    world.clock.advance(60_000);
    await run(task);
    const sha256 = createHash('sha256').update(BYTES).digest('hex');
    const key = `${caller.storeId}/${sha256}.gif`;
    expect(media()).toMatchObject([
      {
        id: task.mediaId,
        url: `https://m.test/media/${key}`,
        storageKey: key,
        contentType: 'image/gif',
        sizeBytes: BYTES.length,
        altText: 'A saw',
        position: 4,
        createdAt: new Date(world.clock.now()).toISOString(),
      },
    ]);
    expect([...mediaFilesOf(state).values()]).toMatchObject([
      { storeId: caller.storeId, key, contentType: 'image/gif', sizeBytes: BYTES.length, width: 3, height: 2 },
    ]);
    expect([...world.mediaStorage.files.keys()]).toEqual([key]);
    expect(eventTypes()).toEqual(['product.updated', 'media.import_completed']);
    expect([...eventsOf(state).values()][0]).toMatchObject({ origin: caller.installationId, resourceId: PRODUCT });
  });
  it('is observed with the seconds that it took', async () => {
    answer = () => {
      world.clock.advance(1_500);
      return { bytes: BYTES };
    };
    await run(await begin());
    answer = () => {
      world.clock.advance(250);
      return { fault: 'timeout', message: 'too slow' };
    };
    await run(await begin());
    expect(observed).toEqual([
      { outcome: 'ready', durationSeconds: 1.5 },
      { outcome: 'timeout', durationSeconds: 0.25 },
    ]);
  });
  it('fails without a fetch when its variant is missing', async () => {
    const task = await begin({ productVariantId: PRODUCT });
    await run(task);
    expect((await viewOf(task)).items).toMatchObject([
      { errorCode: 'variant_not_found', error: 'The product does not have this variant.' },
    ]);
    expect(world.mediaSource.asked).toEqual([]);
  });
  it('fails when its product was deleted since it was fetched', async () => {
    const task = await begin();
    answer = () => {
      const at = `${caller.storeId}/${PRODUCT}`;
      const product = productsOf(state).get(at)!;
      productsOf(state).set(at, { ...product, isDeleted: true, deletedAt: '2026-01-01T00:00:00.000Z' });
      return { bytes: BYTES };
    };
    await run(task);
    expect((await viewOf(task)).items).toMatchObject([
      { errorCode: 'product_not_found', error: 'The product does not exist in this store.', mediaId: null },
    ]);
    expect([media(), eventTypes()]).toEqual([[], ['media.import_failed']]);
  });
  it.each([
    [4, 'Ready', null],
    [5, 'Failed', 'The service ended each time it imported this image.'],
  ])('that %i workers began before is %s', async (tries, status, error) => {
    const task = await begin();
    await run({ ...task, tries });
    expect((await viewOf(task)).items).toMatchObject([{ status, error }]);
    expect(world.mediaSource.asked).toHaveLength(status === 'Ready' ? 1 : 0);
  });
  it('that has ended already is not ended again, and not observed', async () => {
    const task = await begin();
    await run(task);
    const before = await viewOf(task);
    await run({ ...task, missing: 'product_not_found' });
    await run(task);
    expect([await viewOf(task), media().length, observed.length]).toEqual([before, 1, 1]);
  });
});

describe('a worker that loses its lease', () => {
  it('before the fetch requests nothing', async () => {
    const task = await begin();
    await run(task, leaseOf(false));
    expect(world.mediaSource.asked).toEqual([]);
    await expectUntouched(task);
  });
  it('during the fetch leaves the item as it is', async () => {
    const task = await begin();
    answer = () => {
      stop.abort();
      return { bytes: BYTES };
    };
    await run(task);
    await expectUntouched(task);
  });
  it('while it waits for its turn stores nothing', async () => {
    const task = await begin();
    const fetched = latch();
    const { fetch } = world.mediaSource;
    const fetching: typeof fetch = (...given) => fetch(...given).finally(fetched.open);
    world = { ...world, mediaSource: { ...world.mediaSource, fetch: fetching } };
    const turn = fetched.opened.then(() => stop.abort());
    await run(task, leaseOf(), turn);
    expect([mediaFilesOf(state).size, world.mediaStorage.files.size]).toEqual([0, 0]);
    await expectUntouched(task);
  });
  it('after the file was stored adds no media', async () => {
    const task = await begin();
    await run(task, leaseOf(true, false));
    expect([mediaFilesOf(state).size, world.mediaStorage.files.size]).toEqual([1, 1]);
    await expectUntouched(task);
  });
});
