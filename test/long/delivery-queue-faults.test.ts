import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';

import type { BackendAddress } from '../../src/adapters/bullmq/backend.ts';
import { createDeliveryQueue } from '../../src/adapters/bullmq/delivery-queue.ts';
import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { openBrokenRedis } from '../support/broken-redis.ts';
import { freeze } from '../support/freeze.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';

const AT_ONCE = 5;
/** Long enough for a worker that asks again without a pause to be heard thousands of times. */
const OUTAGE_MS = 3000;
/** A few connections, each tried again about once a second. */
const MOST_ERRORS = 60;

const until = (assertion: () => unknown) => vi.waitFor(assertion, { timeout: 60_000, interval: 20 });

const STORE = randomUUID();
const keyOf = (subscriptionId: string) => ({ storeId: STORE, subscriptionId });
const storeOf = () => Promise.resolve(null);

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/**
 * A node that works, and has been asked for something in an hour: its worker waits for that as
 * well.
 */
const openNode = async (backend: BackendAddress, { works: atOnce = true } = {}) => {
  const errors: unknown[] = [];
  const runs: string[] = [];
  let held: Promise<void> | undefined;
  let release = (): void => undefined;
  const note = (id: string) => (runs.push(id), held ?? Promise.resolve());
  const queue = await createDeliveryQueue({ backend, concurrency: AT_ONCE, onError: (error) => errors.push(error), storeOf });
  closers.push(() => queue.close());
  const work = () => {
    queue.work({ fanOut: note, deliver: ({ subscriptionId }) => note(subscriptionId) });
  };
  if (atOnce) work();
  /** Asks until it is heard, then once: what is asked from then on runs. */
  const works = async () => {
    await until(() => queue.depth());
    const id = randomUUID();
    await queue.wake([keyOf(id)]);
    await until(() => {
      expect(runs).toContain(id);
    });
  };
  /**
   * Starts as many jobs as it runs at the same time and blocks them. BullMQ's worker then asks for
   * more without a pause.
   */
  const busy = async () => {
    held = new Promise((resolve) => {
      release = () => {
        held = undefined;
        resolve();
      };
    });
    const ids = Array.from({ length: AT_ONCE }, () => randomUUID());
    await queue.wake(ids.map(keyOf));
    await until(() => {
      expect(runs).toEqual(expect.arrayContaining(ids));
    });
    return () => {
      release();
    };
  };
  /** Without the queue, its requests fail at once, nothing else does, and the log says little. */
  const suffers = async () => {
    expect(await queue.reachable()).toBe(false);
    await expect(queue.wake([keyOf(randomUUID())])).rejects.toThrow();
    await expect(queue.fanOut(randomUUID())).rejects.toThrow();
    await expect(queue.wakeLater(keyOf(randomUUID()), 1)).rejects.toThrow();
    await setTimeout(OUTAGE_MS);
    await until(() => {
      expect(errors.length).toBeGreaterThan(0);
    });
    expect(errors.length).toBeLessThan(MOST_ERRORS);
  };
  return { queue, errors, runs, work, works, busy, suffers };
};

const openWorkingNode = async (backend: BackendAddress) => {
  const node = await openNode(backend);
  await node.works();
  await node.queue.wakeLater(keyOf(randomUUID()), 3600);
  return node;
};

/** A node in a separate process. Its work lasts until the test ends it. */
const startWorker = async (backend: BackendAddress) => {
  const args = ['--import', 'tsx', 'test/support/queue-worker.ts', JSON.stringify(backend)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child, 'spawn');
  closers.push(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(line));
  return { pid: child.pid ?? -1, said, end: () => child.stdin.write('\n') };
};

/**
 * BullMQ takes the job from the stopped worker and refuses its later result. Neither may lose a
 * request.
 */
const survivesStoppedWorker = async (backend: BackendAddress) => {
  const stopped = await startWorker(backend);
  const node = await openNode(backend, { works: false });
  const id = randomUUID();
  const runs = () => [...stopped.said, ...node.runs].filter((run) => run === id).length;
  await node.queue.wake([keyOf(id)]);
  await until(() => {
    expect(stopped.said).toEqual([id]);
  });
  await node.queue.wake([keyOf(id)]);
  await freeze(stopped.pid);
  node.work();
  await until(() => {
    expect(node.runs).toEqual([id, id]);
  });
  process.kill(stopped.pid, 'SIGCONT');
  stopped.end();
  await until(() => {
    expect(stopped.said).toContain('refused');
  });
  for (let time = 3; time < 6; time += 1) {
    expect(runs()).toBe(time);
    await node.queue.wake([keyOf(id)]);
    await until(() => {
      expect(runs()).toBe(time + 1);
    });
  }
};

describe('on PostgreSQL', () => {
  const startPostgres = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tenon-queue-'));
    closers.push(() => rm(dataDir, { recursive: true, force: true }));
    const start = () => startEmbeddedPostgres({ dataDir, onUnexpectedExit: () => undefined });
    let server = await start();
    closers.push(() => server.stop());
    return {
      url: server.url,
      pid: () => server.pid,
      stop: async () => {
        process.kill(server.pid, 'SIGQUIT');
        await server.stop();
      },
      start: async () => {
        server = await start();
      },
    };
  };
  const connections = async (client: pg.Client) =>
    (await client.query<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE application_name = 'tenon queue'`)).rows.map(
      ({ pid }) => pid,
    );

  it('continues after all its connections are terminated repeatedly', async () => {
    const server = await startPostgres();
    const { works, errors } = await openWorkingNode({ databaseUrl: server.url });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    closers.push(() => client.end());
    for (let time = 0; time < 5; time += 1) {
      const before = await connections(client);
      expect(before).not.toEqual([]);
      await client.query('SELECT pg_terminate_backend(pid, 5000) FROM unnest($1::int[]) AS of (pid)', [before]);
      const left = await connections(client);
      expect(before.filter((pid) => left.includes(pid))).toEqual([]);
      await works();
    }
    expect(errors.length).toBeLessThan(MOST_ERRORS);
  });

  it('refuses requests while the server is down, and runs the later ones after its return', async () => {
    const server = await startPostgres();
    const { works, busy, suffers } = await openWorkingNode({ databaseUrl: server.url });
    const { pid } = server;
    const before = pid();
    const letGo = await busy();
    await server.stop();
    letGo();
    await suffers();
    await server.start();
    expect(pid()).not.toBe(before);
    await works();
    await works();
  });

  it('runs all requests when a worker is stopped (SIGSTOP) until another takes its work, and then continues', async () => {
    const server = await startPostgres();
    await survivesStoppedWorker({ databaseUrl: server.url });
  });

  it('closes while the server is down', async () => {
    const server = await startPostgres();
    const { queue } = await openWorkingNode({ databaseUrl: server.url });
    await server.stop();
    expect(await queue.reachable()).toBe(false);
    await queue.close();
  });
});

describe.skipIf(!redisAvailable)('on Redis', () => {
  const start = async (port?: number) => {
    const server = await startRedis(port);
    closers.push(() => server.stop());
    return server;
  };

  it('runs later requests after a flush', async () => {
    const server = await start();
    const { works } = await openWorkingNode({ redisUrl: server.url });
    const client = new Redis(server.url);
    closers.push(() => client.quit());
    expect(await client.dbsize()).toBeGreaterThan(0);
    await client.flushall();
    expect(await client.keys('*:delayed')).toEqual([]);
    await works();
  });

  it('refuses requests while Redis is down, and runs the later ones after it returns empty', async () => {
    const server = await start();
    const { works, busy, suffers } = await openWorkingNode({ redisUrl: server.url });
    const letGo = await busy();
    await server.stop();
    letGo();
    await suffers();
    const again = await start(server.port);
    expect(again.pid).not.toBe(server.pid);
    await works();
    await works();
  });

  it('runs requests when Redis starts later than the queue', async () => {
    const server = await start();
    await server.stop();
    const { works, suffers } = await openNode({ redisUrl: server.url });
    await suffers();
    await start(server.port);
    await works();
  });

  it('runs later requests when connections break while they are opened', async () => {
    const { port } = await start();
    const broken = await openBrokenRedis(port);
    closers.push(() => broken.close());
    const { works } = await openNode({ redisUrl: broken.url });
    await until(() => {
      expect(broken.cut()).toBeGreaterThanOrEqual(4);
    });
    broken.mend();
    await works();
  });

  it('runs all requests when a worker is stopped (SIGSTOP) until another takes its work, and then continues', async () => {
    const server = await start();
    await survivesStoppedWorker({ redisUrl: server.url });
  });

  it.each([
    ['is a replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    ['has no memory left', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
  ])('is not reachable while Redis answers and %s', async (_title, [broken = '', ...how], [mended = '', ...back]) => {
    const server = await start();
    const { queue } = await openNode({ redisUrl: server.url });
    const client = new Redis(server.url);
    closers.push(() => client.quit());
    await until(async () => {
      expect(await queue.reachable()).toBe(true);
    });
    await client.call(broken, ...how);
    expect(await queue.reachable()).toBe(false);
    await client.call(mended, ...back);
    expect(await queue.reachable()).toBe(true);
  });

  it('closes while Redis is down', async () => {
    const server = await start();
    const { queue } = await openWorkingNode({ redisUrl: server.url });
    await server.stop();
    expect(await queue.reachable()).toBe(false);
    await queue.close();
  });
});
