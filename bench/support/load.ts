import { randomInt, randomUUID } from 'node:crypto';
import autocannon from 'autocannon';

import { answerParent } from './parent.ts';
import { quantile } from './statistics.ts';
import { sendByWrk } from './wrk.ts';

/** A request that is sent as it is. */
export interface Prepared {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Bulk updates with a key of its own each: `size` of the products in random order, new meta titles,
 * a new slug for this share of them.
 */
export interface BulkPlan {
  readonly headers: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
  readonly size: number;
  readonly slugShare: number;
}

/** Bulk updates with a key of its own each: the stock of `size` of the variants in random order rises by one, or they get new prices. */
export interface VariantsPlan extends Omit<BulkPlan, 'slugShare'> {
  readonly change: 'stock' | 'price';
}

export type Plan =
  /**
   * Each by its turn: no two connections send the same one at once where there are more of them
   * than connections.
   */
  | { readonly inTurn: readonly Prepared[]; readonly byWrk?: boolean }
  /** Pages at a random number of skipped rows below this. */
  | { readonly skips: number; readonly take: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly bulk: BulkPlan }
  | { readonly variants: VariantsPlan };

export type LoadRequest =
  /** Keeps a plan under a name. */
  | { readonly keep: string; readonly plan: Plan }
  /**
   * Sends the plan over connections that are spread among the addresses, for a time or a number of
   * requests. Answers a `LoadRound`.
   */
  | {
      readonly send: string;
      readonly urls: readonly string[];
      readonly connections: number;
      readonly seconds?: number;
      readonly amount?: number;
    };

export interface LoadRound {
  readonly count: number;
  /** Requests answered a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests without an answer, without a 2xx, or with a failed product in a bulk response. */
  readonly errors: number;
}

const plans = new Map<string, { readonly plan: Plan; readonly make: () => autocannon.Request }>();

const someOf = ({ ids, size }: Pick<BulkPlan, 'ids' | 'size'>): string[] => {
  const from = [...ids];
  for (let at = 0; at < size; at += 1) {
    // The next of a shuffle that goes no further than it is needed.
    const chosen = at + randomInt(from.length - at);
    [from[at], from[chosen]] = [from[chosen] ?? '', from[at] ?? ''];
  }
  return from.slice(0, size);
};

const CHANGES: Readonly<Record<VariantsPlan['change'], () => object>> = {
  stock: () => ({ stock: [{ adjust: 1 }] }),
  price: () => ({ price: randomInt(1_000, 100_000) / 100 }),
};

const variantsMaker = (plan: VariantsPlan) => (): autocannon.Request => ({
  method: 'POST',
  path: '/apps/catalog/variants/bulk',
  headers: { ...plan.headers, 'idempotency-key': randomUUID() },
  body: JSON.stringify({ variants: someOf(plan).map((id) => ({ id, ...CHANGES[plan.change]() })) }),
});

const bulkMaker =
  ({ slugShare, headers, ...some }: BulkPlan) =>
  (): autocannon.Request => {
    const slugs = Math.round(some.size * slugShare);
    const products = someOf(some).map((id, at) => {
      const token = randomUUID();
      return { id, metaTitle: `A saw for fine joints ${token}`, ...(at < slugs && { slug: `saw-${token}` }) };
    });
    return {
      method: 'POST',
      path: '/apps/catalog/products/bulk',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ products }),
    };
  };

const makerOf = (plan: Plan): (() => autocannon.Request) => {
  if ('bulk' in plan) return bulkMaker(plan.bulk);
  if ('variants' in plan) return variantsMaker(plan.variants);
  if ('skips' in plan) {
    const { skips, take, headers } = plan;
    return () => ({ method: 'GET', path: `/apps/catalog/products?skip=${randomInt(skips)}&take=${take}`, headers });
  }
  const { inTurn } = plan;
  let next = 0;
  return () => {
    next = (next + 1) % inTurn.length;
    return { ...inTurn[next] };
  };
};

const send = async ({ send: name, urls, connections, seconds, amount }: Extract<LoadRequest, { send: string }>) => {
  const kept = plans.get(name);
  if (!kept) throw new Error(`no plan is kept as ${name}`);
  const { plan, make } = kept;
  if ('inTurn' in plan && plan.byWrk && seconds !== undefined) return sendByWrk(plan.inTurn, urls, connections, seconds);
  const times: number[] = [];
  let failed = 0;
  const begunAt = performance.now();
  let lastAt = begunAt;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      // Several, which its types leave out: the connections are dealt out among them.
      url: [...urls] as unknown as string,
      connections,
      // autocannon notices the end at its next sample, which is once a second by default.
      ...(amount === undefined ? { duration: seconds ?? 1 } : { amount, sampleInt: 10 }),
      requests: [
        {
          setupRequest: make,
          onResponse: (status, body) => {
            if (status === 200 && body.startsWith('{"requested"') && !body.includes('"failed":0,')) failed += 1;
          },
        },
      ],
    };
    autocannon(options, (error: Error | null, found) => {
      if (error) reject(error);
      else resolve(found);
    }).on('response', (_client, _status, _bytes, milliseconds) => {
      times.push(milliseconds);
      lastAt = performance.now();
    });
  });
  return {
    count: times.length,
    rate: (times.length * 1000) / (lastAt - begunAt),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    errors: result.errors + result.non2xx + failed,
  } satisfies LoadRound;
};

answerParent((request: LoadRequest): Promise<object> => {
  if ('send' in request) return send(request);
  plans.set(request.keep, { plan: request.plan, make: makerOf(request.plan) });
  return Promise.resolve({});
});
