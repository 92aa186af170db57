import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { queryOn } from '../support/query-on.ts';
import { runCommand, type Ran } from '../support/command-line.ts';
import { createEmptyDatabase, openTestDatabase, type TestDatabase } from '../support/postgres.ts';

interface Group {
  readonly number: number;
  readonly id: string;
  readonly node: string;
  readonly bytes: number;
  readonly stores: number;
}
interface Listed {
  readonly groups: Group[];
  readonly nodes: { readonly node: string; readonly shardGroups: number; readonly bytes: number; readonly stores: number }[];
}

const STORES = 12;
const [, ...workers] = inject('serverUrls').map((url) => new URL(url).host) as [string, string, string];

let database: TestDatabase;
const ids: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  for (let n = 0; n < STORES; n += 1) {
    const id = randomUUID();
    ids.push(id);
    await database.query(`INSERT INTO stores (id, domain, name, currency) VALUES ($1, $2, 'S', 'EUR')`, [
      id,
      `s${String(n)}.test`,
    ]);
  }
});
afterAll(async () => {
  await database.close();
});

const shards = (...args: string[]): Promise<Ran> => runCommand(['shards', ...args], { env: { DATABASE_URL: database.url } });

const list = async (): Promise<Listed> => JSON.parse((await shards('list', '--json')).out) as Listed;

const groupOf = async (store: string): Promise<Group> => {
  const { out, err } = await shards('find', store, '--json');
  expect(err).toBe('');
  return (JSON.parse(out) as { group: Group }).group;
};

const otherThan = (node: string): string => workers.find((worker) => worker !== node) ?? '';

/** Writes to the store until the work has ended. Gives how many rows were written. */
const writingTo = async (storeId: string, work: () => Promise<unknown>): Promise<number> => {
  const over = new AbortController();
  let written = 0;
  const writing = (async () => {
    while (!over.signal.aborted) {
      await database.query(`INSERT INTO feed_epochs (store_id, epoch, began) VALUES ($1, gen_random_uuid(), $2)`, [
        storeId,
        written,
      ]);
      written += 1;
    }
  })();
  try {
    await work();
  } finally {
    over.abort();
    await writing;
  }
  return written;
};

describe('tenon shards', () => {
  it('lists the groups with their stores, and the nodes with their totals', async () => {
    const { groups, nodes } = await list();
    expect(groups.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(groups.reduce((sum, { stores }) => sum + stores, 0)).toBe(STORES);
    expect(Math.min(...groups.map(({ bytes }) => bytes))).toBeGreaterThan(0);
    expect(nodes.map(({ node }) => node).toSorted()).toEqual(workers.toSorted());
    for (const { node, ...totals } of nodes) {
      const own = groups.filter((group) => group.node === node);
      const sum = (key: 'bytes' | 'stores') => own.reduce((total, group) => total + group[key], 0);
      expect(totals).toEqual({ shardGroups: own.length, bytes: sum('bytes'), stores: sum('stores') });
    }
  });

  it('finds a store by its domain and by its id', async () => {
    const { groups } = await list();
    const found = await groupOf('s0.test');
    expect(groups).toContainEqual(found);
    expect(await groupOf(ids[0]!)).toEqual(found);
    const { out } = await runCommand(['shards', 'find', 's0.test'], { env: { DATABASE_URL: database.url }, terminal: true });
    expect(out).toContain(found.node);
    expect(out).toContain(ids[0]);
  });

  it('moves the group of a store while rows are written to the store, and loses none', async () => {
    const before = await groupOf('s0.test');
    const target = otherThan(before.node);
    const written = await writingTo(ids[0]!, async () => {
      const { status, err } = await shards('move', 's0.test', target);
      expect([status, err]).toEqual([0, expect.stringMatching(/^Moving shard group .*\n(?:.* of .*\n)*Moved shard group .*\n$/)]);
    });
    expect(written).toBeGreaterThan(0);
    const rows = await database.query('SELECT began FROM feed_epochs WHERE store_id = $1 ORDER BY began', [ids[0]]);
    expect(rows.map(({ began }) => Number(began))).toEqual(Array.from({ length: written }, (_, n) => n));
    expect((await groupOf('s0.test')).node).toBe(target);
    const { groups } = await list();
    expect(groups.filter(({ node }) => node === target)).toHaveLength(5);
    expect(groups.reduce((sum, { stores }) => sum + stores, 0)).toBe(STORES);
  });

  it('leaves the group where it is when it is interrupted, and the next move begins again', async () => {
    const before = await groupOf('s0.test');
    const target = otherThan(before.node);
    const leaving = new AbortController();
    const move = runCommand(['shards', 'move', 's0.test', target], {
      env: { DATABASE_URL: database.url },
      interrupted: leaving.signal,
    });
    await expect.poll(() => database.query('SELECT FROM get_rebalance_progress()')).not.toEqual([]);
    leaving.abort();
    expect(await move).toMatchObject({
      status: 130,
      err: expect.stringContaining(`Stopped. Shard group ${String(before.number)} stays on ${before.node}.`),
    });
    expect((await groupOf('s0.test')).node).toBe(before.node);
    expect(await shards('move', 's0.test', target, '--quiet')).toEqual({ status: 0, out: '', err: '' });
    expect((await groupOf('s0.test')).node).toBe(target);
  });

  it('balances the nodes, and continues without the command that began it', async () => {
    const [first, second] = workers;
    for (const { id } of (await list()).groups.filter(({ node }) => node === first).slice(0, 2))
      await database.query(
        `SELECT citus_move_shard_placement($1::bigint, s.nodeid, t.nodeid, 'block_writes') FROM pg_dist_node s, pg_dist_node t
         WHERE s.nodename || ':' || s.nodeport = $2 AND t.nodename || ':' || t.nodeport = $3`,
        [id, first, second],
      );
    const left = new AbortController();
    const begun = runCommand(['shards', 'balance'], { env: { DATABASE_URL: database.url }, interrupted: left.signal });
    await expect.poll(() => database.query('SELECT FROM get_rebalance_progress()')).not.toEqual([]);
    left.abort();
    expect(await begun).toMatchObject({ status: 130, err: expect.stringContaining('The moves continue without this command.') });
    const { status, out } = await shards('balance', '--json');
    expect([status, JSON.parse(out)]).toEqual([0, expect.objectContaining({ state: 'finished', error: null })]);
    expect((await list()).nodes.map(({ shardGroups }) => shardGroups)).toEqual([4, 4]);
    expect(await shards('balance')).toMatchObject({ status: 0, err: 'The nodes are balanced. Nothing is moved.\n' });
    expect(await shards('balance', '--stop')).toMatchObject({ status: 1, err: 'tenon: No shard group is being moved.\n' });
  });

  it('refuses a store and a node that it does not know, the node that has the store, and one that takes no shards', async () => {
    const { node, number } = await groupOf('s0.test');
    const coordinator = new URL(database.url).host;
    const nodes = `Nodes that take shards: ${workers.join(', ')}.`;
    expect(await shards('find', 'nobody.test')).toEqual({
      ...{ status: 3, out: '', err: 'tenon: There is no store with the id or the domain nobody.test.\n' },
    });
    expect(await shards('move', 's0.test', '10.0.0.9:5432')).toEqual({
      ...{ status: 3, out: '', err: `tenon: There is no node 10.0.0.9:5432. ${nodes}\n` },
    });
    expect(await shards('move', 's0.test', node)).toEqual({
      ...{ status: 5, out: '', err: `tenon: Shard group ${String(number)} is on ${node} already.\n` },
    });
    expect(await shards('move', 's0.test', coordinator)).toEqual({
      ...{ status: 5, out: '', err: `tenon: ${coordinator} takes no shards. ${nodes}\n` },
    });
  });

  it('says that the tables are not distributed yet', async () => {
    const empty = await createEmptyDatabase();
    await queryOn(empty.url, 'CREATE EXTENSION citus');
    for (const args of [['list'], ['find', 's0.test'], ['move', 's0.test', '10.0.0.9:5432']])
      expect(await runCommand(['shards', ...args], { env: { DATABASE_URL: empty.url } })).toEqual({
        ...{ status: 1, out: '', err: 'tenon: The tables are not distributed yet. Run tenon migrate.\n' },
      });
    await empty.drop();
  });
});
