import { startChild, type Child } from '../support/child.ts';
import { MOST_RSS } from '../support/contest.ts';
import { openEnvironment, startRedis, type Environment } from '../support/environment.ts';
import type { Listening, Received } from '../support/receiver.ts';
import { cpuMs } from '../support/process.ts';
import { beginProfile } from '../support/profile.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { openShop, subscribe } from '../support/shop.ts';
import { spreadOf } from '../support/statistics.ts';
import { startTenon, type Program } from '../support/tenon.ts';

const SUBSCRIPTIONS = 50;
/**
 * The length of a round for the side that was fastest in the warm-up. Shorter rounds would measure
 * the start: connections and first turns. `MAX_EACH` limits the deliveries of each subscription.
 */
const ROUND_SECONDS = 2;
const WARM_UP_EACH = { full: 200, short: 20 };
const MAX_EACH = 1_000;
const BODY = JSON.stringify({ type: 'order.paid', data: { text: 'x'.repeat(980) } });
const POLL_MS = 20;

const QUEUE = `
  WITH made AS (
    INSERT INTO events (id, store_id, type, body) SELECT gen_random_uuid(), $1, 'order.paid', $2 FROM generate_series(1, $3::int) RETURNING id
  ), queued AS (
    INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, next_attempt_at, created_at)
    SELECT uuid7(now_ms()), $1, made.id, s.id, s.installation_id, now_ms(), now_ms() FROM made CROSS JOIN subscriptions s
    RETURNING id, store_id, event_id, subscription_id, next_attempt_at
  )
  INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at) SELECT * FROM queued`;

const CEILING_TABLE = `
  CREATE TABLE ceiling_deliveries (id bigserial PRIMARY KEY, body text NOT NULL, status text NOT NULL DEFAULT 'Pending');
  CREATE INDEX ceiling_due ON ceiling_deliveries (id) WHERE status = 'Pending'`;

/**
 * A side of the contest. `fill` queues this many deliveries, `start` starts sending them, `rest`
 * resolves when nothing runs any more.
 */
interface Contender {
  readonly name: string;
  readonly pid: number;
  /** Process of its PostgreSQL. */
  readonly databasePid: number;
  fill(count: number): Promise<unknown>;
  start(): Promise<unknown>;
  rest(): Promise<unknown>;
}

/** A worker on this environment, whose subscriptions have the address of the receiver. */
const openTenon = async ({ databaseUrl, pool, pid }: Environment, url: string, name = 'Tenon', program?: Program) => {
  const tenon = await startTenon(databaseUrl, { ROLE: 'worker' }, undefined, program);
  const shop = await openShop(tenon);
  await subscribe(pool, shop, Array<string>(SUBSCRIPTIONS).fill(url), ['order.paid']);
  const become = (status: string) => tenon.admin('PATCH', `/admin/stores/${shop.storeId}`, { status });
  const side: Contender = {
    name,
    pid: tenon.pid,
    databasePid: pid,
    // Held by an inactive store, so that all of it is there before any of it is sent.
    fill: async (count) => {
      await become('Inactive');
      await pool.query(QUEUE, [shop.storeId, BODY, count / SUBSCRIPTIONS]);
      await pool.query('VACUUM ANALYZE events, deliveries, delivery_queue');
    },
    start: () => become('Active'),
    rest: async () => {
      for (;;) {
        const { rowCount } = await pool.query('SELECT FROM delivery_queue LIMIT 1');
        if (rowCount === 0) return;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
  };
  return { tenon, side };
};

const batchSide = (loop: Child, { pool, pid }: Environment): Contender => {
  let running: Promise<unknown> = Promise.resolve();
  return {
    name: 'batch-claim loop',
    pid: loop.pid,
    databasePid: pid,
    fill: async (count) => {
      await pool.query('INSERT INTO ceiling_deliveries (body) SELECT $1 FROM generate_series(1, $2::int)', [BODY, count]);
      await pool.query('VACUUM ANALYZE ceiling_deliveries');
    },
    start: () => {
      running = loop.ask({});
      return Promise.resolve();
    },
    rest: () => running,
  };
};

const jobSide = (loop: Child, { pid }: Environment): Contender => ({
  name: 'BullMQ job per delivery',
  pid: loop.pid,
  databasePid: pid,
  fill: (count) => loop.ask({ fill: count, body: BODY }),
  start: () => loop.ask({ run: true }),
  rest: () => Promise.resolve(),
});

interface Round {
  /** Deliveries a second, until the last has arrived. */
  readonly rate: number;
  /** Processor time of a delivery in microseconds: the sender's, and PostgreSQL's. */
  readonly sender: number;
  readonly database: number;
}

const round = async (side: Contender, receiver: Child, count: number): Promise<Round> => {
  await side.fill(count);
  const received = receiver.ask<Received>({ count });
  const before = { sender: cpuMs(side.pid), database: cpuMs(side.databasePid) };
  const begunAt = performance.timeOrigin + performance.now();
  await side.start();
  const { at } = await received;
  await side.rest();
  const perDelivery = (pid: number, since: number): number => ((cpuMs(pid) - since) * 1000) / count;
  const result = {
    rate: (count * 1000) / (at - begunAt),
    sender: perDelivery(side.pid, before.sender),
    database: perDelivery(side.databasePid, before.database),
  };
  const [rate, sender, database] = [result.rate, result.sender, result.database].map(Math.round);
  process.stderr.write(`${side.name}: ${count} at ${rate}/s; CPU ${sender} us, PostgreSQL ${database} us each\n`);
  return result;
};

interface Opened {
  readonly sides: readonly Contender[];
  close(): Promise<unknown>;
}

/** Loops written by hand that do nothing else, on Tenon's environment. */
const openLoops = async (environment: Environment, url: string): Promise<Opened> => {
  const redis = await startRedis();
  await environment.pool.query(CEILING_TABLE);
  const env = { DATABASE_URL: environment.databaseUrl, REDIS_URL: redis?.url ?? '', RECEIVER_URL: url };
  const batchLoop = startChild('ceilings/batch-claim-loop.ts', env);
  const jobLoop = redis && startChild('ceilings/job-per-delivery-loop.ts', env);
  return {
    sides: [batchSide(batchLoop, environment), ...(jobLoop ? [jobSide(jobLoop, environment)] : [])],
    close: () => Promise.all([batchLoop.stop(), jobLoop?.stop(), redis?.stop()]),
  };
};

/** Another checkout, on a environment of its own: its schema may differ. */
const openOther = async (program: Program, url: string): Promise<Opened> => {
  const environment = await openEnvironment();
  const { tenon, side } = await openTenon(environment, url, 'other checkout', program);
  return {
    sides: [side],
    close: async () => {
      await tenon.stop();
      await environment.close();
    },
  };
};

const COMPARED = 'a hand-written SKIP LOCKED loop on the same database and with one BullMQ job per delivery on Redis';
const GOALS: Readonly<Record<string, number>> = { 'batch-claim loop': 0.6, 'BullMQ job per delivery': 1.5 };

/** Queued deliveries to 50 subscriptions, sent by one worker process. */
export const deliveries = async ({ short, pairs, against }: CaseOptions): Promise<CaseResult> => {
  const environment = await openEnvironment();
  const receiver = startChild('support/receiver.ts');
  const { url } = await receiver.ask<Listening>({ listen: 'prompt' });
  const { tenon, side } = await openTenon(environment, url);
  const others = await (against ? openOther(against, url) : openLoops(environment, url));
  const sides = [side, ...others.sides];

  const rounds = async (count: number, inOrder = sides): Promise<Round[]> => {
    const done = new Map<Contender, Round>();
    for (const one of inOrder) done.set(one, await round(one, receiver, count));
    return sides.flatMap((one) => done.get(one) ?? []);
  };
  const least = short ? WARM_UP_EACH.short : WARM_UP_EACH.full;
  await rounds(SUBSCRIPTIONS * least);
  const warm = await rounds(SUBSCRIPTIONS * least);
  const fastest = Math.max(...warm.map(({ rate }) => rate));
  const each = short ? least : Math.min(MAX_EACH, Math.max(least, Math.ceil((fastest * ROUND_SECONDS) / SUBSCRIPTIONS)));
  beginProfile(sides.map(({ name, pid: sender }) => ({ name, pids: [sender] })));
  const measured: Round[][] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    // Each is first as often as the others: the one before leaves PostgreSQL work.
    measured.push(await rounds(SUBSCRIPTIONS * each, pair % 2 === 0 ? sides : [...sides].reverse()));
  }
  const rss = tenon.rss();
  await Promise.all([tenon.stop(), others.close(), receiver.stop()]);
  await environment.close();

  const of = (side: number, what: keyof Round): number[] => measured.map((pair) => pair[side]?.[what] ?? NaN);
  const ratio = (side: number) => spreadOf(of(0, 'rate').map((rate, pair) => rate / (of(side, 'rate')[pair] ?? NaN)));
  return {
    about: `One worker process (ROLE=worker) sends queued deliveries of 1 KB to ${SUBSCRIPTIONS} subscriptions with a receiver on loopback, ${SUBSCRIPTIONS * each} a round. The time ends when the last has arrived. It is compared with ${against ? 'another checkout, which has a database of its own' : COMPARED}.`,
    figures: [
      ...others.sides.map(({ name }, at) => ({
        name: `ratio to the ${name}`,
        unit: 'ratio',
        ...(GOALS[name] !== undefined && { least: GOALS[name] }),
        ...ratio(at + 1),
      })),
      ...sides.flatMap(({ name }, side) => [
        { name, unit: 'deliveries/s', ...spreadOf(of(side, 'rate')) },
        { name: `${name}: CPU of the process`, unit: 'us a delivery', ...spreadOf(of(side, 'sender')) },
        { name: `${name}: CPU of PostgreSQL`, unit: 'us a delivery', ...spreadOf(of(side, 'database')) },
      ]),
      { name: 'RSS of the worker', unit: 'MB', most: MOST_RSS, median: rss },
    ],
  };
};
