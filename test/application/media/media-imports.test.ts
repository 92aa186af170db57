import { beforeEach, describe, expect, it } from 'vitest';

import { createMediaImport } from '../../../src/application/media/create-media-import.ts';
import { mediaLookups } from '../../../src/application/media/lookups.ts';
import { runMediaImports } from '../../../src/application/media/run-media-imports.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { uninstallApp } from '../../../src/application/identity/uninstall-app.ts';
import { productsOf } from '../../memory/catalogue/catalogue-tables.ts';
import { eventsOf } from '../../memory/webhooks/event-repository.ts';
import { installationsOf } from '../../memory/identity/identity-tables.ts';
import { mediaFilesOf } from '../../memory/media/media-file-repository.ts';
import type { MemoryAnswer } from '../../memory/media/media-source.ts';
import { createMemoryState, type MemoryState } from '../../memory/state.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';
import { withOutcome, type ImportView, type ObservedItem } from '../../../src/domain/media/media-import.ts';
import type { ItemInput } from '../../../src/domain/media/import-request.ts';
import type { Ports } from '../../../src/domain/ports/index.ts';
import { latch } from '../../support/latch.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const PRODUCT = '00000000-0000-7000-8000-00000000000a';
const gif = (url: string): MemoryAnswer => ({ bytes: Buffer.from(`GIF89a ${url}`) });

describe('imports of media', () => {
  let state: MemoryState;
  let world: MemoryWorld;
  let caller: Caller;
  let answer: (url: string) => MemoryAnswer | Promise<MemoryAnswer>;
  let observed: ObservedItem[];
  let stopping: AbortController;

  const install = async (storeId: string): Promise<string> => {
    const id = world.ids.next();
    const secrets = { clientSecret: { id: world.ids.next(), hash: '' }, signingSecret: { id: world.ids.next(), sealed: '' } };
    await world.installations.create({ id, storeId, name: 'App', clientId: id, scopes: ['write_products'], ...secrets });
    return id;
  };
  beforeEach(async () => {
    answer = gif;
    [state, observed, stopping] = [createMemoryState(), [], new AbortController()];
    world = openMemoryPorts({}, state, { answer: (url) => answer(url) });
    const storeId = world.ids.next();
    await world.stores.create({ id: storeId, domain: 'a.test', name: 'A', currency: 'EUR' });
    caller = { storeId, installationId: await install(storeId), scopes: ['write_products'] };
    await saveProducts(world)(null, storeId, [
      { id: PRODUCT, name: 'Saw', slug: 'saw', variants: [{ sku: 'S', currency: 'EUR' }] },
    ]);
  });
  const work = (over: Partial<Ports> = {}): void => {
    const settings = {
      mediaUrl: 'https://m.test/media',
      retryWaits: [5, 30, 120, 600],
      stopping: stopping.signal,
      soon: () => new Promise(() => undefined),
      onItem: (item: ObservedItem) => void observed.push(item),
    };
    world.importQueue.work(runMediaImports({ ...world, ...over }, settings));
  };
  const anItem = (name: string, over: Partial<ItemInput> = {}): ItemInput => ({
    sourceUrl: `https://x.test/${name}`,
    productId: PRODUCT,
    ...over,
  });
  const create = async (...items: ItemInput[]): Promise<string> => {
    const created = await world.transaction.run(null, (tx) => createMediaImport(world)(tx, caller, items));
    if (!created.ok) throw new Error(created.message);
    return created.value.importId;
  };
  const found = async (id: string, by = caller): Promise<ImportView> => {
    const result = await mediaLookups(world).getMediaImport(by, id);
    return result.ok ? result.value : expect.fail(result.message);
  };
  const media = () => productsOf(state).get(`${caller.storeId}/${PRODUCT}`)?.media ?? [];
  const eventTypes = () => [...eventsOf(state).values()].map(({ type }) => type).filter((type) => type !== 'product.created');

  it('is asked for after the commit, and by nobody when the transaction fails', async () => {
    const failed = world.transaction.run(null, async (tx) => {
      await createMediaImport(world)(tx, caller, [anItem('a')]);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await world.importQueue.depth()).toBe(0);
    await create(anItem('a'));
    expect(await world.importQueue.depth()).toBe(1);
  });
  it('is queued with its items pending, and is found as it was returned', async () => {
    const items = [anItem('a'), anItem('b')];
    const created = await world.transaction.run(null, (tx) => createMediaImport(world)(tx, caller, items));
    const retry = { retryAt: null, retryReason: null };
    const pending = { status: 'Pending', mediaId: null, errorCode: null, error: null, ...retry };
    const importId = created.ok ? created.value.importId : expect.fail(created.message);
    expect(created).toEqual({
      ok: true,
      value: { importId, status: 'Queued', items: [0, 1].map((index) => ({ index, ...pending })) },
    });
    expect(await found(importId)).toEqual(created.ok ? created.value : null);
  });
  it('with an invalid item is refused, and nothing is created', async () => {
    const items = [anItem('a'), anItem('b', { sourceUrl: 'b' })];
    expect(await world.transaction.run(null, (tx) => createMediaImport(world)(tx, caller, items))).toMatchObject({
      ok: false,
      code: 'invalid',
    });
    expect(await world.mediaImports.open()).toBe(0);
  });
  it("not_found of another installation's, in the same store or another", async () => {
    const id = await create(anItem('a'));
    for (const installationId of [await install(caller.storeId), world.ids.next()]) {
      expect(await mediaLookups(world).getMediaImport({ ...caller, installationId }, id)).toEqual({
        ok: false,
        code: 'not_found',
        message: 'Media import not found.',
      });
    }
  });
  it('records events that keep the request of the import', async () => {
    work();
    const requestId = world.ids.next();
    await world.transaction.run({ requestId }, (tx) => createMediaImport(world)(tx, caller, [anItem('a')]));
    await world.importQueue.run();
    const events = [...eventsOf(state).values()].filter(({ type }) => type !== 'product.created');
    expect(events.map((event) => [event.type, event.requestId])).toEqual([
      ['product.updated', requestId],
      ['media.import_completed', requestId],
    ]);
  });
  it('adds each image to its product, and tells each change and the end', async () => {
    work();
    const id = await create(anItem('a'), anItem('b', { position: 7, altText: 'B' }));
    await world.importQueue.run();
    expect(await found(id)).toMatchObject({ status: 'Completed', items: [{ status: 'Ready' }, { status: 'Ready' }] });
    expect(media().map(({ position, altText }) => [position, altText])).toEqual([
      [0, null],
      [7, 'B'],
    ]);
    expect(media()[0]?.url).toMatch(new RegExp(`^https://m.test/media/${caller.storeId}/[0-9a-f]{64}\\.gif$`));
    expect(eventTypes()).toEqual(['product.updated', 'product.updated', 'media.import_completed']);
    expect(observed.map(({ outcome }) => outcome)).toEqual(['ready', 'ready']);
    expect([[...world.mediaSource.files], world.importQueue.failures]).toEqual([[], []]);
  });
  it('two are fetched at once, and media without a position keep the order of the request', async () => {
    const [first, second] = [latch(), latch()];
    answer = async (url) => {
      if (url.endsWith('/b')) second.open();
      if (url.endsWith('/a')) await first.opened;
      return gif(url);
    };
    work();
    const id = await create(anItem('a'), anItem('b'), anItem('c'));
    await second.opened;
    expect(world.mediaSource.asked).toEqual(['https://x.test/a', 'https://x.test/b']);
    expect(media()).toEqual([]);
    first.open();
    await world.importQueue.run();
    const { items } = await found(id);
    expect(media().map(({ id: added, position }) => [added, position])).toEqual(items.map(({ mediaId }, n) => [mediaId, n]));
  });
  it('an item fails for itself, by what its source answers', async () => {
    answer = (url) => (url.endsWith('/bad') ? { fault: 'too_large', message: 'too large' } : gif(url));
    work();
    const id = await create(anItem('bad'), anItem('good'));
    await world.importQueue.run();
    expect(await found(id)).toMatchObject({
      status: 'CompletedWithErrors',
      items: [{ status: 'Failed', errorCode: 'too_large', error: 'too large', mediaId: null }, { status: 'Ready' }],
    });
    expect(observed.map(({ outcome }) => outcome).sort()).toEqual(['ready', 'too_large']);
  });
  it('nothing is fetched for a product that is missing', async () => {
    work();
    const id = await create(anItem('a', { productId: world.ids.next() }));
    await world.importQueue.run();
    expect(await found(id)).toMatchObject({ status: 'Failed', items: [{ errorCode: 'product_not_found' }] });
    expect([world.mediaSource.asked, eventTypes()]).toEqual([[], ['media.import_failed']]);
  });
  it('while the storage is away an item is put back unchanged, and tried again', async () => {
    let away = true;
    const put: Ports['mediaStorage']['put'] = (...file) =>
      away ? Promise.reject(new Error('away')) : world.mediaStorage.put(...file);
    work({ mediaStorage: { ...world.mediaStorage, put } });
    const id = await create(anItem('a'));
    await world.importQueue.run();
    expect(await found(id)).toMatchObject({ status: 'Running', items: [{ status: 'Pending' }] });
    expect([world.importQueue.failures.length, [...world.mediaSource.files]]).toEqual([1, []]);
    away = false;
    world.clock.advance(1_000);
    await world.importQueue.run();
    expect(await found(id)).toMatchObject({ status: 'Completed' });
  });
  it('a file that was freed since it was announced is announced and put again', async () => {
    let puts = 0;
    const put: Ports['mediaStorage']['put'] = async (...file) => {
      await world.mediaStorage.put(...file);
      if (puts++ === 0) mediaFilesOf(state).clear();
    };
    work({ mediaStorage: { ...world.mediaStorage, put } });
    const id = await create(anItem('a'));
    await world.importQueue.run();
    expect(await found(id)).toMatchObject({ status: 'Completed' });
    expect([puts, mediaFilesOf(state).size, media().length]).toEqual([2, 1, 1]);
  });
  it('an image that ended the process five times is not fetched again', async () => {
    const id = await create(anItem('a'), anItem('b'));
    for (let n = 0; n < 5; n += 1) await world.mediaImports.begin(caller, []);
    work();
    await world.importQueue.run();
    expect(await found(id)).toMatchObject({
      status: 'CompletedWithErrors',
      items: [{ errorCode: 'decode_failed' }, { status: 'Ready' }],
    });
    expect(world.mediaSource.asked).toEqual(['https://x.test/b']);
  });
  it('a turn begins no more after 5 seconds, and the rest gets another', async () => {
    const turns: string[] = [];
    const acquire: Ports['workLeases']['acquire'] = (work, of) => {
      turns.push(`${of.id} ${work}`);
      return world.workLeases.acquire(work, of);
    };
    answer = (url) => {
      world.clock.advance(5_000);
      return gif(url);
    };
    work({ workLeases: { ...world.workLeases, acquire } });
    const id = await create(anItem('a'), anItem('b'), anItem('c'));
    await world.importQueue.run();
    expect((await found(id)).status).toBe('Completed');
    expect(turns.length).toBeGreaterThanOrEqual(2);
    expect(new Set(turns)).toEqual(new Set([`${caller.installationId} imports`]));
  });
  it('an uninstall aborts what is in flight, ends the imports and tells the merchant', async () => {
    const asked = latch();
    answer = () => {
      asked.open();
      return new Promise(() => undefined);
    };
    work();
    const id = await create(anItem('a'));
    await asked.opened;
    expect(await uninstallApp(world)(null, caller.installationId)).toMatchObject({ ok: true });
    await world.importQueue.run();
    expect(await found(id)).toMatchObject({ status: 'Failed', items: [{ errorCode: 'uninstalled' }] });
    expect(eventTypes()).toEqual(['media.import_failed', 'app.uninstalled']);
    expect([observed, world.mediaSource.asked.length]).toEqual([[], 1]);
  });
  it('what came in while its app was being uninstalled ends without a fetch', async () => {
    const id = await create(anItem('a'));
    const app = installationsOf(state).get(caller.installationId)!;
    installationsOf(state).set(app.id, { ...app, status: 'Uninstalled' });
    work();
    await world.importQueue.run();
    expect(await found(id)).toMatchObject({ status: 'Failed', items: [{ errorCode: 'uninstalled' }] });
    expect([world.mediaSource.asked, eventTypes()]).toEqual([[], ['media.import_failed']]);
  });
  it('ends its items in flight when its node stops, and begins no other', async () => {
    const stopped = latch();
    answer = async (url) => {
      if (url.endsWith('/b')) {
        stopping.abort();
        stopped.open();
      }
      await stopped.opened;
      return gif(url);
    };
    work();
    const id = await create(anItem('a'), anItem('b'), anItem('c'));
    await world.importQueue.run();
    expect((await found(id)).items.map(({ status }) => status)).toEqual(['Ready', 'Ready', 'Pending']);
    expect(await world.workLeases.acquire('imports', { storeId: caller.storeId, id: caller.installationId })).not.toBeNull();
  });
  it('is put back as if it had not begun when its worker loses the lease', async () => {
    const mayBegin = (): boolean => {
      stopping.abort();
      return false;
    };
    const acquire: Ports['workLeases']['acquire'] = async (...given) => {
      const lease = await world.workLeases.acquire(...given);
      return lease && { ...lease, mayBegin };
    };
    work({ workLeases: { ...world.workLeases, acquire } });
    const id = await create(anItem('a'));
    await world.importQueue.run();
    expect((await found(id)).items.map(({ status }) => status)).toEqual(['Pending']);
  });
  it('fails with every reason at once, after the items in flight have ended', async () => {
    let begun = 0;
    const begin: Ports['mediaImports']['begin'] = (...given) => {
      begun += 1;
      return begun === 2 ? Promise.reject(new Error('the database is away')) : world.mediaImports.begin(...given);
    };
    work({ mediaImports: { ...world.mediaImports, begin } });
    const id = await create(anItem('a'), anItem('b'));
    await world.importQueue.run();
    expect(world.importQueue.failures).toEqual([
      new AggregateError([new Error('the database is away')], 'Items could not be imported'),
    ]);
    expect((await found(id)).items.map(({ status }) => status)).toEqual(['Ready', 'Pending']);
    expect(begun).toBe(2);
    world.clock.advance(1_000);
    await world.importQueue.run();
    expect(await found(id)).toMatchObject({ status: 'Completed' });
  });
  it('whose item fails for a reason of the service begins no other item in that turn', async () => {
    const fetch: Ports['mediaSource']['fetch'] = () => Promise.reject(new Error('the disk is full'));
    let begun = 0;
    const begin: Ports['mediaImports']['begin'] = (...given) => {
      begun += 1;
      return world.mediaImports.begin(...given);
    };
    work({ mediaSource: { ...world.mediaSource, fetch }, mediaImports: { ...world.mediaImports, begin } });
    const id = await create(anItem('a'), anItem('b'), anItem('c'), anItem('d'));
    await world.importQueue.run();
    expect((await found(id)).items.map(({ status }) => status)).toEqual(Array(4).fill('Pending'));
    // The third found no other host to ask.
    expect([begun, world.importQueue.failures.length]).toEqual([3, 1]);
  });
  it('begins nothing on a node that stops, nor while another has the imports', async () => {
    const other = await world.workLeases.acquire('imports', { storeId: caller.storeId, id: caller.installationId });
    work();
    const id = await create(anItem('a'));
    await world.importQueue.run();
    await other?.release();
    stopping.abort();
    await world.importQueue.ask([caller]);
    await world.importQueue.run();
    expect([world.mediaSource.asked, (await found(id)).status]).toEqual([[], 'Queued']);
    expect(world.importQueue.failures).toEqual([]);
  });
  it.each<[string, (id: string) => Promise<unknown>, object]>([
    [
      'import',
      () => world.transaction.run(null, (tx) => tx.mediaImports.endAll(caller)),
      { status: 'Failed', items: [{ errorCode: 'uninstalled' }, { errorCode: 'uninstalled' }] },
    ],
    [
      'item',
      (id) =>
        world.transaction.run(null, async (tx) => {
          const open = await tx.mediaImports.lockOpen(caller.storeId, id);
          const outcome = { status: 'Failed', errorCode: 'timeout', error: 'late' } as const;
          if (open) await tx.mediaImports.settle(withOutcome(open, 0, outcome), 0);
        }),
      { status: 'CompletedWithErrors', items: [{ errorCode: 'timeout' }, { status: 'Ready' }] },
    ],
  ])('an %s that another has ended meanwhile is left as it is', async (_what, end, expected) => {
    const [asked, go] = [latch(), latch()];
    answer = async (url) => {
      asked.open();
      await go.opened;
      return gif(url);
    };
    work();
    const id = await create(anItem('a'), anItem('b'));
    await asked.opened;
    await end(id);
    go.open();
    await world.importQueue.run();
    const ended = await found(id);
    expect(ended).toMatchObject(expected);
    const ready = ended.items.filter(({ status }) => status === 'Ready').map(({ mediaId }) => mediaId);
    expect(media().map(({ id: added }) => added)).toEqual(ready);
    expect(observed).toHaveLength(ready.length);
  });
});
