import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import pg from 'pg';

import { citusFacts } from '../../src/adapters/prisma/connection/citus/facts.ts';
import { checkCitus } from '../../src/adapters/prisma/doctor/citus-check.ts';
import { parseConfig, type Config } from '../../src/adapters/wiring/settings/config.ts';
import { diagnose } from '../../src/adapters/wiring/doctor/diagnose.ts';
import { whileFrozen } from '../support/freeze.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
});

const SUMMARY = { result: 'ok', message: 'Citus 13.2.2: 2 workers, 57 distributed tables, 456 shards', remedy: null };

/** The first worker, as Citus names it, and its process. */
const firstWorker = async (): Promise<{ node: string; pid: number }> => {
  const [, url = ''] = inject('serverUrls');
  const client = new pg.Client({ connectionString: url.replace('/tenon?', '/postgres?') });
  await client.connect();
  const { rows } = await client.query<{ file: string }>(`SELECT pg_read_file('postmaster.pid') AS file`);
  await client.end();
  return { node: new URL(url).host, pid: Number.parseInt(rows[0]?.file ?? '', 10) };
};

const diagnosed = async (url: string): Promise<string[]> => {
  const config = parseConfig({ DATABASE_URL: url, DATA_DIR: '/nonexistent', MEDIA_STORAGE: '/tmp' });
  if (!config.ok) throw new Error(config.message);
  const checks: string[] = [];
  const patient = {
    config: config.value as Config,
    databaseUrl: { ok: true, value: url } as const,
    nodeVersion: process.version,
  };
  for await (const { check } of diagnose(patient)) checks.push(check);
  return checks;
};

describe('the doctor on a Citus cluster', () => {
  it('says what it is, and finds nothing wrong with one that is set up right', async () => {
    expect(await checkCitus(database)).toEqual([SUMMARY]);
  });

  it('reads the settings of all three nodes', async () => {
    const facts = await citusFacts(database);
    expect(facts).toMatchObject({ postgresql: 15, recoveryMs: 1_000, workers: 2 });
    const answer = { postgresql: 15, citus: 13, preparedTransactions: 200, walLevel: 'logical', secondsApart: 0 };
    expect(facts?.nodes.map((node) => [node.hasShards, node.answer])).toEqual([false, true, true].map((has) => [has, answer]));
  });

  it('shows it after the migrations, and not on a worker', async () => {
    const checks = await diagnosed(database.url);
    expect(checks.indexOf('Citus')).toBeGreaterThan(checks.indexOf('migrations'));
    const { host } = new URL(inject('serverUrls')[1] ?? '');
    const worker = new URL(database.url);
    worker.host = host;
    expect(await diagnosed(worker.href)).not.toContain('Citus');
  });

  it('finds a table that has no place yet', async () => {
    await database.query('CREATE TABLE later (store_id uuid PRIMARY KEY)');
    expect(await checkCitus(database)).toEqual([
      SUMMARY,
      { result: 'failed', message: '1 table has no place yet', remedy: expect.stringContaining('tenon migrate') },
    ]);
    await database.query('DROP TABLE later');
  });

  it('finds a node that is not active', async () => {
    const { node } = await firstWorker();
    await database.query(`UPDATE pg_dist_node SET isactive = false WHERE nodename || ':' || nodeport = $1`, [node]);
    expect(await checkCitus(database)).toEqual([
      SUMMARY,
      { result: 'warning', message: `${node} is not active: it gets no shards`, remedy: expect.any(String) },
    ]);
    await database.query('UPDATE pg_dist_node SET isactive = true');
  });

  it('finds a node that is silent, and does not wait for it', async () => {
    const { node, pid } = await firstWorker();
    const begun = performance.now();
    const wasFrozen = await whileFrozen([pid], async () => {
      expect(await checkCitus(database)).toEqual([
        SUMMARY,
        {
          result: 'failed',
          message: expect.stringMatching(`^${node} does not answer \\(.+\\): requests of its stores get 503$`),
          remedy: expect.any(String),
        },
      ]);
    });
    expect(wasFrozen).toBe(true);
    // Citus itself would wait for 30 seconds.
    expect(performance.now() - begun).toBeLessThan(15_000);
  });
});
