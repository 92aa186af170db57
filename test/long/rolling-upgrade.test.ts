import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';

import type { Verification } from '../../src/application/insight/verify.ts';
import { root } from '../architecture/source.ts';
import { createEmptyDatabase } from '../support/postgres.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { asAdmin, aStoreWithApp, call, startProcess, type ServerProcess, type StoreWithApp } from '../support/server.ts';
import { subscribeMerchant } from '../support/webhooks.ts';

/** The released version as the history has it, and what it left in a database. */
const RELEASES = [{ release: '0.1.0', commit: '78f1163' }];
const WRITERS = 3;
/** Of each state of the nodes. */
const WRITES = 40;

const hasCommit = (commit: string): boolean =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0;

/** The source of the version with the packages of the present one. */
const checkOut = async (commit: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-release-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], { cwd: folder, stdio: 'ignore' });
  return folder;
};

const load = async (url: string, release: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(gunzipSync(readFileSync(`test/fixtures/releases/${release}/database.sql.gz`)).toString('utf8'));
  } finally {
    await client.end();
  }
};

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly next: string;
}

/** Writers and one reader of the feed, who choose among the present nodes as a balancer does. */
class Traffic {
  /** The ids of the events that were acknowledged. */
  readonly acknowledged: string[] = [];
  readonly read: string[] = [];
  /** Every answer that was not as it must be. */
  readonly wrong: string[] = [];
  #nodes: readonly ServerProcess[] = [];
  #turn = 0;
  #isWriting = true;
  #isReading = true;
  #writing: Promise<unknown> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(private readonly app: StoreWithApp) {}

  use(...nodes: ServerProcess[]): void {
    this.#nodes = nodes;
  }

  begin(): void {
    this.#reading = this.#readOn();
    this.#writing = Promise.all(Array.from({ length: WRITERS }, () => this.#writeOn()));
  }

  /** Until this many more writes were acknowledged. */
  async more(): Promise<void> {
    const goal = this.acknowledged.length + WRITES;
    await expect.poll(() => this.wrong.length > 0 || this.acknowledged.length >= goal).toBe(true);
  }

  /** Until the reader has as many events as were acknowledged. */
  async end(): Promise<void> {
    this.#isWriting = false;
    await this.#writing;
    this.#isReading = false;
    await this.#reading;
  }

  get #node(): ServerProcess {
    this.#turn += 1;
    const node = this.#nodes[this.#turn % this.#nodes.length];
    if (node === undefined) throw new Error('no node');
    return node;
  }

  async #writeOn(): Promise<void> {
    while (this.#isWriting) {
      const path = `/admin/stores/${this.app.storeId}/events`;
      const answer = await asAdmin(this.#node, 'POST', path, { type: 'order.paid', data: { id: 'order' } });
      if (answer.status === 202) this.acknowledged.push((JSON.parse(answer.body) as { eventId: string }).eventId);
      else this.wrong.push(`write ${String(answer.status)} ${answer.body}`);
    }
  }

  async #readOn(): Promise<void> {
    let next: string | null = null;
    while (this.#isReading || this.read.length < this.acknowledged.length) {
      const after: string = next === null ? '' : `&after=${next}`;
      const answer = await call(`${this.#node.url}/apps/events?wait=1${after}`, 'GET', this.app.headers);
      if (answer.status !== 200) {
        this.wrong.push(`read ${String(answer.status)} ${answer.body}`);
        return;
      }
      const page = JSON.parse(answer.body) as Page;
      this.read.push(...page.items.map(({ id }) => id));
      next = page.next;
    }
  }
}

describe.each(RELEASES)('from $release, node by node under load', ({ release, commit }) => {
  const nodes: ServerProcess[] = [];
  let [folder, database, receiver] = [
    '',
    null as Awaited<ReturnType<typeof createEmptyDatabase>> | null,
    null as Receiver | null,
  ];
  beforeAll(async () => {
    if (!hasCommit(commit)) return;
    [folder, database, receiver] = await Promise.all([checkOut(commit), createEmptyDatabase(), startReceiver()]);
    await load(database.url, release);
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.end()));
    await receiver?.close();
    await database?.drop();
    if (folder !== '') await rm(folder, { recursive: true, force: true });
  });
  const start = async (checkout?: string): Promise<ServerProcess> => {
    const env = { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', DATABASE_STATEMENT_TIMEOUT_MS: '0', LOG_LEVEL: 'info' };
    const node = await startProcess({ databaseUrl: database?.url ?? '', env, ...(checkout !== undefined && { checkout }) });
    nodes.push(node);
    return node;
  };
  const stop = async (node: ServerProcess): Promise<void> => {
    node.kill('SIGTERM');
    expect(await node.exited).toMatchObject({ code: 0 });
  };

  // A shallow clone does not have the commit of the release.
  it.skipIf(!hasCommit(commit))('each answer is right, and each write is in the feed and delivered', async () => {
    const [first, second] = await Promise.all([start(folder), start(folder)]);
    const app = await aStoreWithApp(first, { scopes: ['read_orders'], products: 0 });
    await subscribeMerchant(first, app.storeId, receiver?.url ?? '', 'order.paid');
    const traffic = new Traffic(app);
    traffic.use(first, second);
    traffic.begin();
    await traffic.more();
    const third = await start();
    traffic.use(first, second, third);
    await traffic.more();
    traffic.use(second, third);
    await stop(first);
    await traffic.more();
    const fourth = await start();
    traffic.use(third, fourth);
    await stop(second);
    await traffic.more();
    await traffic.end();

    expect(traffic.wrong).toEqual([]);
    expect(traffic.read.toSorted()).toEqual(traffic.acknowledged.toSorted());
    const undelivered = (): string[] => {
      const delivered = new Set(receiver?.received.map(({ headers }) => headers['webhook-id']));
      return traffic.acknowledged.filter((id) => !delivered.has(id));
    };
    await expect.poll(undelivered).toEqual([]);
    const { invariants } = JSON.parse((await asAdmin(third, 'GET', '/admin/verify')).body) as Verification;
    // The receivers of the demo store do not exist any more.
    const judged = invariants.filter(({ name }) => name !== 'deliveries_served');
    expect(judged.filter(({ violated }) => violated !== 0)).toEqual([]);
  });
});
