import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';

import { anApp, asAdmin, aStoreWithApp, bulk, call, type Answer, type ServerProcess, type StoreWithApp } from './server.ts';
import { IMPORTS, postImport, type ImportBody } from './media.ts';
import type { Receiver } from './receiver.ts';
import { subscribeMerchant } from './webhooks.ts';

const PRODUCTS = 8;
const DEFINITION = { name: 'Tone', fields: [{ key: 'hex', type: 'color', required: true }] };

const pick = <Item>(items: readonly Item[], n: number): Item => {
  const item = items[n % items.length];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};
const hexOf = (n: number): string => `#${n.toString(16).padStart(6, '0')}`;

interface FeedPage {
  readonly items: readonly { readonly id: string }[];
  readonly next: string;
}

type Node = Pick<ServerProcess, 'url' | 'adminUrl'>;

/** The nth operation of its kind. Rejects a wrong answer. */
type Operation = (n: number) => Promise<unknown>;

const required = (status: number, answer: Answer): Answer => {
  if (answer.status !== status) throw new Error(`${String(answer.status)} ${answer.body}`);
  return answer;
};

/**
 * Clients that write and read all that a store has, without a pause. Each request goes to the next of
 * the present nodes, as a balancer has it. What was acknowledged is remembered.
 */
export class UpgradeTraffic {
  /** Every answer that was not as it must be. */
  readonly wrong: string[] = [];
  readonly #events: string[] = [];
  readonly #read: string[] = [];
  readonly #answers = new Map<string, { readonly products: readonly object[]; readonly body: string }>();
  readonly #names = new Map<string, string>();
  readonly #tones = new Map<string, string>();
  readonly #done = new Map<string, number>();
  #next: string | null = null;
  #nodes: readonly Node[] = [];
  #turn = 0;
  readonly #balancer: Node;
  #isOver = false;
  #loops: readonly Promise<void>[] = [];

  private constructor(
    private readonly app: StoreWithApp,
    private readonly receiver: Receiver,
    private readonly image: string,
  ) {
    const next = (): Node => pick(this.#nodes, (this.#turn += 1));
    this.#balancer = {
      get url() {
        return next().url;
      },
      get adminUrl() {
        return next().adminUrl;
      },
    };
  }

  /** Opens a new store, whose orders are delivered to the receiver; its images come from this address. */
  static async open(node: Node, receiver: Receiver, image: string): Promise<UpgradeTraffic> {
    const scopes = ['write_products', 'write_metaobjects', 'write_webhooks', 'read_orders'];
    const app = await aStoreWithApp(node, { scopes, products: PRODUCTS });
    required(200, await asAdmin(node, 'PUT', `/admin/stores/${app.storeId}/metaobject-definitions/tone`, DEFINITION));
    await subscribeMerchant(node, app.storeId, receiver.url, 'order.paid');
    const traffic = new UpgradeTraffic(app, receiver, image);
    traffic.use(node);
    return traffic;
  }

  use(...nodes: readonly Node[]): void {
    this.#nodes = nodes;
  }

  begin(): void {
    this.#loops = Object.entries(this.#operations).map(([kind, operation]) => this.#repeat(kind, operation));
  }

  /** Until each kind of operation was done this many times more. */
  async more(times: number): Promise<void> {
    const before = new Map(this.#done);
    const isDone = () =>
      Object.keys(this.#operations).every((kind) => (this.#done.get(kind) ?? 0) >= (before.get(kind) ?? 0) + times);
    await expect.poll(() => this.wrong.length > 0 || isDone()).toBe(true);
    expect(this.wrong).toEqual([]);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    expect(this.wrong).toEqual([]);
  }

  /** All that was acknowledged is there, as the present nodes have it: events in the feed once and delivered, answers, and contents. */
  async expectAll(): Promise<void> {
    const known = new Set(this.#events);
    const places = () => this.#read.filter((id) => known.has(id)).toSorted();
    await expect
      .poll(async () => {
        await this.#readFeed();
        return places();
      })
      .toEqual(this.#events.toSorted());
    const undelivered = (): string[] => {
      const delivered = new Set(this.receiver.received.map(({ headers }) => headers['webhook-id']));
      return this.#events.filter((id) => !delivered.has(id));
    };
    await expect.poll(undelivered).toEqual([]);
    for (const key of this.#answers.keys()) await this.#replay(key);
    for (const [id, name] of this.#names) {
      expect(JSON.parse((await this.#app(200, 'GET', `/apps/catalog/products/${id}`)).body)).toMatchObject({ name });
    }
    const entries = await this.#admin(200, 'GET', 'metaobjects/tone?take=250');
    const { items } = JSON.parse(entries.body) as { items: readonly { handle: string; fields: { hex: string } }[] };
    expect(new Map(items.map(({ handle, fields }) => [handle, fields.hex]))).toEqual(this.#tones);
  }

  readonly #operations: Readonly<Record<string, Operation>> = {
    event: async () => {
      const answer = await this.#admin(202, 'POST', 'events', { type: 'order.paid', data: { id: 'order' } });
      this.#events.push((JSON.parse(answer.body) as { eventId: string }).eventId);
    },
    feed: () => this.#readFeed(),
    bulk: async (n) => {
      const id = pick(this.app.productIds, n);
      const [key, name] = [randomUUID(), `Name ${String(n)}`];
      const products = [{ id, name }];
      const answer = required(200, await bulk(this.#balancer, this.app, key, products));
      this.#names.set(id, name);
      this.#answers.set(key, { products, body: answer.body });
      await this.#replay(pick([...this.#answers.keys()], n * 7));
    },
    list: () => this.#app(200, 'GET', '/apps/catalog/products?take=5'),
    detail: (n) => this.#app(200, 'GET', `/apps/catalog/products/${pick(this.app.productIds, n)}`),
    import: async (n) => {
      const [id, slug] = [`00000000-0000-4000-9000-00000000000${String(n % 5)}`, `imported-${String(n % 5)}`];
      const line = JSON.stringify({ id, name: `Imported ${String(n)}`, slug, status: 'Draft' });
      const answer = await this.#admin(200, 'POST', 'products/import', line, 'application/x-ndjson');
      expect(JSON.parse(answer.body)).toMatchObject({ failed: 0 });
    },
    collection: (n) => {
      const body = { title: `Title ${String(n)}`, handle: 'all', productIds: this.app.productIds };
      return this.#admin(200, 'PUT', `collections/${pick(this.app.productIds, 0)}`, body);
    },
    metaobject: async (n) => {
      const [handle, hex] = [`tone-${String(n % 5)}`, hexOf(n)];
      await this.#app(200, 'PUT', `/custom-data/metaobjects/tone/entries/${handle}`, { fields: { hex } });
      this.#tones.set(handle, hex);
    },
    image: async (n) => {
      const items = [{ sourceUrl: this.image, productId: pick(this.app.productIds, n) }];
      const taken = required(202, await postImport(this.#balancer, this.app, randomUUID(), items));
      const { importId } = JSON.parse(taken.body) as ImportBody;
      const status = async () => (JSON.parse((await this.#app(200, 'GET', `${IMPORTS}/${importId}`)).body) as ImportBody).status;
      await expect.poll(status).toBe('Completed');
    },
    refusal: async () => {
      const headers = { ...this.app.headers, authorization: 'Bearer of-nobody' };
      required(401, await call(`${this.#balancer.url}/apps/catalog/products`, 'GET', headers));
    },
    subscription: async () => {
      const path = '/apps/webhooks/subscriptions';
      const made = await this.#app(200, 'POST', path, { url: this.receiver.url, eventTypes: ['order.created'] });
      await this.#app(204, 'DELETE', `${path}/${(JSON.parse(made.body) as { id: string }).id}`);
    },
    install: async () => {
      const { installationId } = await anApp(this.#balancer, this.app, ['read_products']);
      required(204, await asAdmin(this.#balancer, 'POST', `/admin/apps/${installationId}/uninstall`));
    },
    redelivery: () => this.#admin(202, 'POST', 'deliveries/redeliver', { status: ['Failed'] }),
  };

  async #admin(status: number, method: Parameters<typeof asAdmin>[1], path: string, body?: unknown, type?: string) {
    return required(status, await asAdmin(this.#balancer, method, `/admin/stores/${this.app.storeId}/${path}`, body, type));
  }

  async #app(status: number, method: Parameters<typeof call>[1], path: string, body?: object): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return required(status, await call(`${this.#balancer.url}${path}`, method, this.app.headers, text));
  }

  async #readFeed(): Promise<void> {
    const after: string = this.#next === null ? '' : `&after=${this.#next}`;
    const page = JSON.parse((await this.#app(200, 'GET', `/apps/events?wait=1${after}`)).body) as FeedPage;
    this.#read.push(...page.items.map(({ id }) => id));
    this.#next = page.next;
  }

  async #replay(key: string): Promise<void> {
    const { products, body } = this.#answers.get(key) ?? { products: [], body: '' };
    const answer = required(200, await bulk(this.#balancer, this.app, key, products));
    expect([answer.headers['idempotent-replay'], answer.body]).toEqual(['true', body]);
  }

  async #repeat(kind: string, operation: Operation): Promise<void> {
    for (let n = 1; !this.#isOver && this.wrong.length === 0; n += 1) {
      await operation(n).then(
        () => this.#done.set(kind, n),
        (error: unknown) => this.wrong.push(`${kind}: ${String(error)}`),
      );
    }
  }
}
