import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

import { openPostgres } from '../faults/environment/postgres.ts';
import { now } from '../faults/history.ts';
import { seeded, type Random } from '../faults/random.ts';
import { openImages, type Images } from '../faults/workload/images.ts';
import type { Node } from './client.ts';
import { Judge, type Rule } from './judge.ts';
import { cacheFigures, type CacheFigures } from './metrics.ts';
import { PLANTED_SQL, type Bug } from './node/bugs.ts';
import { startNode, type StartedNode } from './nodes.ts';
import { readAgainAndAgain, type Readers } from './reads.ts';
import { StoreRecord } from './record.ts';
import { openShop } from './shop.ts';
import { alignAndRead, createTwins, type Twins } from './twins.ts';
import { replaceShortLivedApp, UNINSTALLED, WRITES } from './writes.ts';

export interface CampaignOptions {
  readonly seed: number;
  readonly reads: number;
  readonly plant?: Bug;
  /** The campaign ends once this rule is broken. */
  readonly endsWith?: Rule;
  /** Called with the number of reads, each time they are a hundredth more. */
  readonly onReads?: (reads: number) => void;
}

export interface CampaignResult {
  readonly judge: Judge;
  /** Writes by their kind. */
  readonly writes: ReadonlyMap<string, number>;
  readonly cache: CacheFigures;
  readonly seconds: number;
}

/** The second one is made like the first. */
const SHOPS = 4;
/** Milliseconds between two moments at which the rows of both have the same revisions. */
const ALIGNED = [1_000, 2_000] as const;
const READERS = 24;
/** Milliseconds between two writes of a store. */
const PAUSE = [10, 120] as const;
const VISIT = [200, 800] as const;

interface Stage {
  readonly random: Random;
  readonly nodes: readonly Node[];
  readonly records: readonly StoreRecord[];
  readonly twins: Twins;
  readonly pool: pg.Pool;
  readonly images: Images;
  readonly counts: Map<string, number>;
  readonly isOver: () => boolean;
}

const count = (counts: Map<string, number>, kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1);

/** Each kind of write as often as its weight says. */
const weighted = Object.entries(WRITES).flatMap(([kind, [weight, write]]) =>
  Array.from({ length: weight }, () => ({ kind, write })),
);

/** Changes a store, one write after the other. Every kind comes once before any comes again. */
const writeTo = async ({ nodes, images, counts, twins, isOver, ...stage }: Stage, record: StoreRecord): Promise<void> => {
  const random = stage.random.fork(`writes of ${record.shop.domain}`);
  let drawn = 0;
  const sources = await Promise.all(Array.from({ length: 20 }, (_, n) => images.draw(random, `${record.shop.domain}-${n}`)));
  const good = sources.filter(({ given }) => 'sha256' in given).map(({ sourceUrl }) => sourceUrl);
  const imageUrl = (): string => `${random.pick(good)}-${(drawn += 1)}`;
  let left: typeof weighted = [];
  while (!isOver()) {
    if (left.length === 0) left = random.shuffled(weighted);
    const next = left.pop();
    if (!next) continue;
    const write = (): Promise<void> => next.write({ random, record, node: random.pick(nodes), imageUrl });
    await (twins.records.includes(record) ? twins.turn(write) : write());
    count(counts, next.kind);
    await pause(random.between(...PAUSE));
  }
};

const replaceShortLivedApps = async ({ nodes, counts, isOver, ...stage }: Stage, { shop }: StoreRecord): Promise<void> => {
  const random = stage.random.fork(`short-lived apps of ${shop.domain}`);
  while (!isOver()) {
    const replaces = shop.shortLivedApps.length > 0;
    await replaceShortLivedApp(random.pick(nodes), shop);
    if (replaces) count(counts, UNINSTALLED);
    await pause(random.between(...VISIT));
  }
};

const alignAgainAndAgain = async ({ pool, twins, isOver }: Stage, readers: Readers): Promise<void> => {
  while (!isOver()) {
    await alignAndRead(pool, twins, readers);
    await pause(readers.random.between(...ALIGNED));
  }
};

const run = async (
  stage: Omit<Stage, 'isOver' | 'counts'>,
  { reads, endsWith, onReads }: CampaignOptions,
): Promise<CampaignResult> => {
  const { random, nodes, records } = stage;
  const judge = new Judge();
  const counts = new Map<string, number>();
  const tags = new Map<string, string>();
  const beganAt = now();
  let sent = 0;
  let failed = false;
  const isOver = (): boolean => failed || sent >= reads || (endsWith !== undefined && judge.broken.has(endsWith));
  const mayRead = (): boolean => {
    if (isOver()) return false;
    sent += 1;
    if (sent % Math.ceil(reads / 100) === 0) onReads?.(sent);
    return true;
  };
  const readersOf = (name: string): Readers => ({ random: random.fork(name), nodes, records, judge, tags, mayRead });
  const readers = Array.from({ length: READERS }, (_, n) => readAgainAndAgain(readersOf(`reader ${n}`)));
  const world = { ...stage, counts, isOver };
  const writers = records.flatMap((record) => [writeTo(world, record), replaceShortLivedApps(world, record)]);
  const all = [...readers, ...writers, alignAgainAndAgain(world, readersOf('twins'))];
  for (const one of all) one.catch(() => (failed = true));
  await Promise.allSettled(all);
  await Promise.all(all);
  return { judge, writes: counts, cache: await cacheFigures(nodes), seconds: (now() - beganAt) / 1000 };
};

/** Readers ask three nodes for pages while writers change them, until there are that many reads. */
export const runCampaign = async (options: CampaignOptions): Promise<CampaignResult> => {
  const { seed, plant = null } = options;
  const random = seeded(seed);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tenon-readers-')));
  const [postgres, images] = await Promise.all([openPostgres(), openImages()]);
  const nodes: StartedNode[] = [];
  const databaseUrl = await postgres.createDatabase('readers');
  const pool = new pg.Pool({ connectionString: databaseUrl, max: SHOPS });
  // PostgreSQL may end one at the campaign's end before it has closed.
  pool.on('error', () => undefined);
  try {
    const planted = plant && PLANTED_SQL[plant];
    if (planted) await pool.query(planted);
    for (const role of ['all', 'api', 'api'] as const) nodes.push(await startNode({ databaseUrl, folder, role, plant }));
    const records: StoreRecord[] = [];
    for (let number = 1; number <= SHOPS; number += 1) {
      const [node] = nodes;
      if (!node) throw new Error('no node listens');
      const like = number === 2 ? records[0]?.shop : undefined;
      records.push(new StoreRecord(pool, await openShop(node, random, number, like)));
    }
    for (const record of records) await record.begin();
    return await run({ random, nodes, records, images, pool, twins: createTwins(records.slice(0, 2)) }, options);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await pool.end();
    await images.close();
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  }
};
