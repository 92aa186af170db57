import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { Tenon } from '../../clients/typescript/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { openWorld, startAppProcess, type AppProcess, type World } from './client-faults/world.ts';
import type { UpdaterLine } from './client-faults/updater.ts';

/** `CLIENT_FAULTS=full` runs the sizes that the documentation states. */
const SIZES =
  process.env['CLIENT_FAULTS'] === 'full'
    ? { products: 10_000, updates: 5_000, serverKills: 10, updaterKills: [0.4, 0.8], followerKills: 3 }
    : { products: 2_000, updates: 750, serverKills: 3, updaterKills: [0.8], followerKills: 2 };
/** Each product is changed twice: a request that is done again would change it back, which its events would show. */
const TITLES = ['Draft', 'Tidy'];
const CHANGES = SIZES.updates * TITLES.length;
type Result = Exclude<UpdaterLine, { lost: true }>;
const TIMEOUT = 1_800_000;

let world: World | undefined;
afterEach(() => world?.close());

describe('the client, while tokens are revoked', () => {
  it(`${String(SIZES.products)} products are listed, each once, by walks that share a token`, { timeout: TIMEOUT }, async () => {
    const { env, installationId, productIds, admin } = (world = await openWorld(SIZES.products));
    let refusals = 0;
    const counting: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      if (response.status === 401) refusals += 1;
      return response;
    };
    const tenon = new Tenon({ store: env.STORE, clientId: env.CLIENT_ID, clientSecret: env.CLIENT_SECRET, fetch: counting });
    const walks = Array.from({ length: 3 }, () => ({ ids: [] as string[], mark: 0, isOver: false }));
    let revocations = 0;
    // Each walk has read a page with the present token, so no request is refused twice.
    const isDue = (): boolean => walks.every(({ ids, mark, isOver }) => isOver || ids.length > mark + 250);
    const revoke = async (): Promise<void> => {
      for (const walk of walks) walk.mark = walk.ids.length;
      revocations += 1;
      await admin('POST', `/admin/apps/${installationId}/revoke-tokens`);
    };
    await Promise.all(
      walks.map(async (walk) => {
        for await (const { id } of tenon.products.list()) {
          walk.ids.push(id);
          if (isDue()) await revoke();
        }
        walk.isOver = true;
      }),
    );
    for (const { ids } of walks) expect(ids).toEqual(productIds);
    expect(revocations).toBeGreaterThanOrEqual(SIZES.products / 500);
    expect(refusals).toBeGreaterThanOrEqual(revocations - 1);
    console.log({ products: productIds.length, walks: walks.length, revocations, refusals });
  });
});

/**
 * Runs a process of the app again and again: it is killed as soon as it reports that it is this far.
 * Resolves with the exit status of the last run.
 */
const runThroughKills = async (
  start: (isAt: (progress: number) => void) => AppProcess,
  kills: readonly number[],
): Promise<number | null> => {
  for (const at of kills) {
    const reached = await new Promise<AppProcess>((resolve, reject) => {
      const started: AppProcess = start((progress) => {
        if (progress >= at) resolve(started);
      });
      void started.ended.then((code) => reject(new Error(`ended with ${String(code)} before it was killed`)));
    });
    await reached.kill();
  }
  return start(() => undefined).ended;
};

/** `count` numbers, evenly between 0 and `whole`. */
const spread = (count: number, whole: number): number[] =>
  Array.from({ length: count }, (_, n) => Math.round(((n + 1) * whole) / (count + 1)));

describe('the client, while the server and the processes of the app are killed', () => {
  it(
    `${String(SIZES.updates)} products are updated as often as was requested, and their events are handled once each`,
    { timeout: TIMEOUT },
    async () => {
      const { env, productIds, admin, database, storeId, killServer } = (world = await openWorld(SIZES.updates));
      await database.query('CREATE SCHEMA app');
      await database.query('CREATE TABLE app.seen (id uuid PRIMARY KEY)');
      await database.query('CREATE TABLE app.handled (id uuid NOT NULL, place bigserial)');
      await database.query('CREATE TABLE app.cursor (id int PRIMARY KEY, cursor text NOT NULL)');
      const folder = await mkdtemp(join(tmpdir(), 'tenon-updates-'));
      const changes = TITLES.flatMap((metaTitle) => productIds.map((id) => ({ id, metaTitle })));
      await writeFile(join(folder, 'changes.json'), JSON.stringify(changes));

      const figures = { lost: 0, replayed: 0, serverKills: 0, taken: 0 };
      const statuses = new Set<string>();
      const due = spread(SIZES.serverKills, CHANGES);
      let killing = Promise.resolve();
      const onResult = ({ done, status, replayed }: Result): void => {
        statuses.add(status);
        if (replayed) figures.replayed += 1;
        for (; due[0] !== undefined && done >= due[0]; due.shift()) {
          figures.serverKills += 1;
          killing = killing.then(killServer);
        }
      };
      const update = (isAt: (progress: number) => void): AppProcess =>
        startAppProcess('updater.ts', { ...env, CHANGES: join(folder, 'changes.json') }, (line) => {
          if ('lost' in (line as UpdaterLine)) {
            figures.lost += 1;
            return;
          }
          onResult(line as Result);
          isAt((line as Result).done);
        });
      let follower: AppProcess | undefined;
      const follow = (isAt: (progress: number) => void): AppProcess =>
        (follower = startAppProcess('follower.ts', env, () => {
          figures.taken += 1;
          isAt(figures.taken);
        }));
      const updating = runThroughKills(
        update,
        SIZES.updaterKills.map((part) => part * CHANGES),
      );
      // In the middle of a page of 250, whose events then come again.
      const following = runThroughKills(
        follow,
        spread(SIZES.followerKills, CHANGES).map((at) => at + 125),
      );

      expect(await updating).toBe(0);
      await killing;
      const handled = async () =>
        (await database.query<{ id: string }>('SELECT id::text FROM app.handled ORDER BY place')).map(({ id }) => id);
      await eventually(async () => {
        expect((await handled()).length).toBeGreaterThanOrEqual(CHANGES);
      });
      await follower?.kill();
      await following;

      const events = await eventsOf(admin, storeId);
      expect([...statuses]).toEqual(['Updated']);
      const titles = new Map<string, (string | undefined)[]>(productIds.map((id) => [id, []]));
      for (const { data } of events) titles.get(data.id)?.push(data.current.metaTitle);
      for (const own of titles.values()) expect(own).toEqual(TITLES);
      expect(await handled()).toEqual(events.map(({ id }) => id));
      // The kills were in the middle of the work, and both recoveries were needed.
      expect(figures.serverKills).toBe(SIZES.serverKills);
      expect(figures.lost).toBeGreaterThanOrEqual(SIZES.serverKills);
      expect(figures.replayed).toBeGreaterThanOrEqual(SIZES.updates);
      expect(figures.taken).toBeGreaterThan(CHANGES);
      await rm(folder, { recursive: true });
      console.log({ ...SIZES, ...figures, handled: events.length });
    },
  );
});

interface UpdatedEvent {
  readonly id: string;
  readonly data: { readonly id: string; readonly current: { readonly metaTitle?: string } };
}

/** All product.updated events of the store, as the merchant sees them. */
const eventsOf = async (admin: World['admin'], storeId: string): Promise<UpdatedEvent[]> => {
  const events: UpdatedEvent[] = [];
  let after = '';
  for (;;) {
    const path = `/admin/stores/${storeId}/events?types=product.updated&take=250${after}`;
    const page = (await admin('GET', path)) as { items: UpdatedEvent[]; next: string; more: boolean };
    events.push(...page.items);
    if (!page.more) return events;
    after = `&after=${page.next}`;
  }
};
