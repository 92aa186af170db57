import { beforeEach, describe, expect, it } from 'vitest';

import { createMediaImport } from '../../../src/application/media/create-media-import.ts';
import { mediaLookups } from '../../../src/application/media/lookups.ts';
import { runMediaImports } from '../../../src/application/media/run-media-imports.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';
import type { ImportView } from '../../../src/domain/media/media-import.ts';
import type { MemoryAnswer } from '../../memory/media/media-source.ts';
import { latch } from '../../support/latch.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const gif = (url: string): MemoryAnswer => ({ bytes: Buffer.from(`GIF89a ${url}`) });
const busy = (retryAfterSeconds: number | null = null): MemoryAnswer => ({
  fault: 'fetch_failed',
  message: 'The host answered 503.',
  passing: { retryAfterSeconds },
});

interface Shop {
  readonly caller: Caller;
  readonly productIds: readonly string[];
}

let world: MemoryWorld;
let answer: (url: string) => MemoryAnswer | Promise<MemoryAnswer>;
let shop: Shop;

const openShop = async (): Promise<Shop> => {
  const [storeId, id] = [world.ids.next(), world.ids.next()];
  await world.stores.create({ id: storeId, domain: `${id}.test`, name: 'A', currency: 'EUR' });
  const secrets = { clientSecret: { id: world.ids.next(), hash: '' }, signingSecret: { id: world.ids.next(), sealed: '' } };
  const scopes = ['write_products'] as const;
  await world.installations.create({ id, storeId, name: 'App', clientId: id, scopes, ...secrets });
  const productIds = [world.ids.next(), world.ids.next()];
  const variants = [{ sku: 'S', currency: 'EUR' }];
  await saveProducts(world)(
    null,
    storeId,
    productIds.map((product) => ({ id: product, name: 'Saw', slug: product, variants })),
  );
  return { caller: { storeId, installationId: id, scopes }, productIds };
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const until = async (seen: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await seen())) await turn();
};
const running = (over: Partial<MemoryWorld> = {}) => {
  const waits = { retryWaits: [5, 30, 120, 600], soon: turn, stopping: new AbortController().signal };
  return runMediaImports({ ...world, ...over }, { mediaUrl: 'https://m.test', ...waits, onItem: () => undefined });
};
const work = (): void => world.importQueue.work(running());
const create = async (urls: readonly string[], { caller, productIds } = shop, product = 0): Promise<string> => {
  const items = urls.map((sourceUrl) => ({ sourceUrl, productId: productIds[product] ?? '' }));
  const created = await world.transaction.run(null, (tx) => createMediaImport(world)(tx, caller, items));
  return created.ok ? created.value.importId : expect.fail(created.message);
};
const viewOf = async (id: string, { caller } = shop): Promise<ImportView> => {
  const result = await mediaLookups(world).getMediaImport(caller, id);
  return result.ok ? result.value : expect.fail(result.message);
};
const pass = async (seconds: number): Promise<void> => {
  world.clock.advance(seconds * 1000);
  await world.importQueue.run();
};

beforeEach(async () => {
  answer = gif;
  world = openMemoryPorts({}, undefined, { answer: (url) => answer(url) });
  shop = await openShop();
});

describe('a host that fails in passing', () => {
  it('is asked again after its Retry-After, and the item says so meanwhile', async () => {
    let asked = 0;
    answer = (url) => ((asked += 1) === 1 ? busy(20) : gif(url));
    work();
    const id = await create(['https://x.test/a']);
    await world.importQueue.run();
    const retryAt = new Date(world.clock.now() + 20_000).toISOString();
    const waiting = { status: 'Pending', errorCode: null, error: null, retryAt, retryReason: 'The host answered 503.' };
    expect(await viewOf(id)).toMatchObject({ status: 'Running', items: [waiting] });
    await pass(19);
    expect(asked).toBe(1);
    await pass(1);
    expect(await viewOf(id)).toMatchObject({ status: 'Completed', items: [{ retryAt: null, retryReason: null }] });
  });
  it('is asked 5 times within its bounds, and the reason names the answer and how often it was asked', async () => {
    answer = () => busy(99_999);
    work();
    const id = await create(['https://x.test/a']);
    await world.importQueue.run();
    for (let wait = 0; wait < 4; wait += 1) await pass(900);
    expect(await viewOf(id)).toMatchObject({
      status: 'Failed',
      items: [{ errorCode: 'fetch_failed', error: 'The host answered 503. The host was asked 5 times.' }],
    });
    expect(world.mediaSource.asked).toHaveLength(5);
  });
  it('is not asked more often because the process ends', async () => {
    answer = () => busy();
    const id = await create(['https://x.test/a']);
    // Four workers that died after they had written down the answer.
    for (let life = 0; life < 4; life += 1) {
      const task = (await world.mediaImports.begin(shop.caller, [])) ?? expect.fail('nothing is open');
      await world.mediaImports.postpone(task, 0, 'The host answered 503.');
    }
    work();
    await world.importQueue.ask([shop.caller]);
    await world.importQueue.run();
    expect((await viewOf(id)).status).toBe('Failed');
    expect(world.mediaSource.asked).toHaveLength(1);
  });
  it('and then for good ends with that reason', async () => {
    let asked = 0;
    answer = () => ((asked += 1) === 1 ? busy() : { fault: 'too_large', message: 'too large' });
    work();
    const id = await create(['https://x.test/a']);
    await world.importQueue.run();
    await pass(5);
    expect(await viewOf(id)).toMatchObject({ items: [{ errorCode: 'too_large', error: 'too large' }] });
  });
  it('does not hold up the other images of its import', async () => {
    answer = (url) => (url.endsWith('/busy') ? busy() : gif(url));
    work();
    const id = await create(['https://x.test/busy', 'https://x.test/a', 'https://y.test/b']);
    await world.importQueue.run();
    expect((await viewOf(id)).items.map(({ status }) => status)).toEqual(['Pending', 'Ready', 'Ready']);
  });
});

describe('a host that does not answer', () => {
  const slowUrls = (count: number) => Array.from({ length: count }, (_, n) => `https://slow.test/${String(n)}`);
  const slowAsked = () => world.mediaSource.asked.filter((url) => url.startsWith('https://slow.test')).length;
  let release: () => void;
  let late: () => void;
  beforeEach(() => {
    const { opened, open } = latch();
    [release, late] = [open, () => undefined];
    answer = (url) => {
      if (url.endsWith('/late')) late();
      return url.startsWith('https://slow.test') ? opened.then(() => gif(url)) : gif(url);
    };
  });

  it('has two images of a turn, and other hosts of the app continue, also after the time of the turn', async () => {
    late = () => world.clock.advance(6_000);
    work();
    const slow = await create(slowUrls(3));
    await until(() => slowAsked() === 2);
    const quick = await create(['https://x.test/late', 'https://x.test/a', 'https://x.test/b'], shop, 1);
    await until(async () => (await viewOf(quick)).status === 'Completed');
    expect(slowAsked()).toBe(2);
    release();
    await world.importQueue.run();
    expect((await viewOf(slow)).status).toBe('Completed');
  });

  it('that frees a place while the queue is away fails the turn, and its image stays imported', async () => {
    const id = await create(['https://x.test/a', 'https://x.test/b']);
    const ask = (): Promise<void> => Promise.reject(new Error('The queue is away.'));
    const run = running({ importQueue: { ...world.importQueue, ask } });
    await expect(run(shop.caller)).rejects.toThrow('Items could not be imported');
    expect((await viewOf(id)).items[0]).toMatchObject({ status: 'Ready' });
  });
  it('has four images of a node, of all stores, and what waits for it continues when a place is free', async () => {
    work();
    const shops = [shop, await openShop(), await openShop(), await openShop()];
    const imports: [string, Shop][] = [];
    for (const one of shops) imports.push([await create(slowUrls(2), one), one]);
    const hasEnded = async ({ caller }: Shop): Promise<boolean> => {
      const lease = await world.workLeases.acquire('imports', { storeId: caller.storeId, id: caller.installationId });
      await lease?.release();
      return lease !== null;
    };
    // The turns of two stores end at once, so that their places are free.
    await until(async () => (await Promise.all(shops.map(hasEnded))).filter(Boolean).length === 2);
    expect(slowAsked()).toBe(4);
    release();
    await world.importQueue.run();
    for (const [id, one] of imports) expect((await viewOf(id, one)).status).toBe('Completed');
  });
});
