import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { now, type Moment } from '../faults/history.ts';
import { asMerchant, type Ask } from '../kit/merchant.ts';
import { must, send, type Node } from '../readers/client.ts';
import { install } from '../readers/shop.ts';

const WRITERS = 4;
/** Between two requests of a writer or a reader. */
const PAUSE_MS = 50;

/** A write with its key, from the first try to the answer 200. */
interface Write {
  readonly ask: Ask;
  readonly mark: string;
  body: string | null;
  answeredAt: Moment;
}

interface Try {
  readonly kind: 'write' | 'read';
  /** 0: none came. */
  readonly status: number;
  readonly sentAt: Moment;
  readonly endedAt: Moment;
}

export interface Load {
  readonly tries: readonly Try[];
  /** Reads that showed less than was acknowledged before they were sent. */
  stale: number;
  /** Resolves once every write is answered. */
  stop(): Promise<void>;
  /** Finds acknowledged writes that are missing or duplicated. */
  judge(): Promise<readonly string[]>;
  readonly acknowledged: () => number;
}

interface Event {
  readonly data: { readonly current?: { readonly metaTitle?: string } };
}

/** The mark of each event, from the beginning. */
const marksOfFeed = async (node: Node, headers: Ask['headers']): Promise<readonly (string | undefined)[]> => {
  const marks: (string | undefined)[] = [];
  for (let after = ''; ;) {
    const page = await must<{ items: readonly Event[]; next: string; more: boolean }>(node, {
      path: `/apps/events?take=250&wait=0${after}`,
      headers,
    });
    marks.push(...page.items.map(({ data }) => data.current?.metaTitle));
    if (!page.more) return marks;
    after = `&after=${encodeURIComponent(page.next)}`;
  }
};

/** Writers that send a request with the same key until it is answered, and a reader of what they wrote. */
export const startLoad = async (node: Node): Promise<Load> => {
  const domain = 'patroni.example';
  const { id: storeId } = await must<{ id: string }>(node, asMerchant('POST', '/stores', { domain }));
  const app = await install(node, { storeId, domain });
  const productIds = Array.from({ length: WRITERS }, () => randomUUID());
  const lines = productIds.map((id, k) =>
    JSON.stringify({ id, name: `Product ${k}`, variants: [{ sku: `sku-${k}`, currency: 'EUR', price: 1 }] }),
  );
  await must(node, asMerchant('POST', `/stores/${storeId}/products/import`, lines.join('\n')));

  let stopping = false;
  const tries: Try[] = [];
  const writes: Write[] = [];
  const attempt = async (kind: Try['kind'], ask: Ask): Promise<{ status: number; body: string }> => {
    const sentAt = now();
    const { status, body } = await send(node, ask).catch(() => ({ status: 0, body: Buffer.from('') }));
    tries.push({ kind, status, sentAt, endedAt: now() });
    return { status, body: body.toString() };
  };
  const newest = productIds.map(() => 0);
  const writer = async (id: string, at: number): Promise<void> => {
    for (let n = 1; !stopping; n += 1) {
      const mark = `${at}/${n}/`;
      const headers = { ...app.headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const body = { products: [{ id, metaTitle: mark }] };
      const write: Write = {
        ask: { method: 'POST', path: '/apps/catalog/products/bulk', headers, body: JSON.stringify(body) },
        mark,
        body: null,
        answeredAt: 0,
      };
      writes.push(write);
      while (write.body === null) {
        const answer = await attempt('write', write.ask);
        if (answer.status === 200) Object.assign(write, { body: answer.body, answeredAt: now() });
        await pause(PAUSE_MS);
      }
      newest[at] = n;
    }
  };
  const load: Load = {
    tries,
    stale: 0,
    acknowledged: () => writes.filter(({ body }) => body !== null).length,
    stop: async () => {
      stopping = true;
      await all;
    },
    judge: async () => {
      const marks = await marksOfFeed(node, app.headers);
      const found = await Promise.all(
        writes.map(async ({ ask, mark, body }) => {
          const again = await send(node, ask);
          const count = marks.filter((one) => one === mark).length;
          const isSame = again.status === 200 && again.body.toString() === body;
          return [
            ...(isSame ? [] : [`write ${mark} is answered ${again.status} now, not as before`]),
            ...(count === 1 ? [] : [`write ${mark} has ${count} events`]),
          ];
        }),
      );
      return found.flat();
    },
  };
  const reader = async (id: string, at: number): Promise<void> => {
    while (!stopping) {
      const known = newest[at] ?? 0;
      const { status, body } = await attempt('read', { path: `/apps/catalog/products/${id}`, headers: app.headers });
      if (status === 200) {
        const { metaTitle } = JSON.parse(body) as { metaTitle: string | null };
        if (Number(metaTitle?.split('/')[1] ?? 0) < known) load.stale += 1;
      }
      await pause(PAUSE_MS);
    }
  };
  const all = Promise.all(productIds.flatMap((id, at) => [writer(id, at), reader(id, at)]));
  return load;
};
