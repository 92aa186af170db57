import type { PortsSoFar } from '../../../src/adapters/storage/so-far.ts';
import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';
import { DatabaseUnavailable, type TransactionPorts, type Work } from '../../../src/domain/ports/transaction.ts';
import type { MemoryPorts } from './rules.ts';

type Method = (...given: readonly unknown[]) => Promise<unknown>;
type Wrap = (original: Method) => Method;
type AnyPorts = Readonly<Record<string, Readonly<Record<string, Method>>>>;

/** Makes an adapter wrong. */
export type Plant = (ports: MemoryPorts) => PortsSoFar<StoragePorts>;

const changed = <Ports extends object>(ports: Ports, port: string, method: string, wrap: Wrap): Ports => {
  const { [port]: present = {}, ...others } = ports as AnyPorts;
  const original = present[method] ?? (() => Promise.reject(new Error(`there is no ${port}.${method}`)));
  return { ...others, [port]: { ...present, [method]: wrap(original) } } as Ports;
};

const withRun = (
  ports: MemoryPorts,
  around: (run: <T>(work: Work<T>) => Promise<T>) => <T>(work: Work<T>) => Promise<T>,
): MemoryPorts => {
  const { transaction } = ports;
  return {
    ...ports,
    transaction: {
      run: (cause, work) => around((inner) => transaction.run(cause, inner))(work),
      runClaimed: (claim, work) => around((inner) => transaction.runClaimed(claim, inner))(work),
    },
  };
};

/** A plant in a method, which is bound to a transaction where its name begins with `tx.`. */
const inMethod =
  (name: string, wrap: Wrap): Plant =>
  (ports) => {
    const [port = '', method = ''] = name.replace(/^tx\./, '').split('.');
    if (!name.startsWith('tx.')) return changed(ports, port, method, wrap);
    return withRun(ports, (run) => (work) => run((tx) => work(changed(tx, port, method, wrap))));
  };

const storesIn = (ports: MemoryPorts): Promise<readonly string[]> =>
  ports.stores.list({ skip: 0, take: 50 }).then(({ items }) => items.map(({ id }) => id));

const inStore = (given: readonly unknown[], storeId: string): readonly unknown[] =>
  given.map((one, at) => {
    if (typeof one === 'object' && one !== null && 'storeId' in one) return { ...one, storeId };
    return at === 0 && typeof one === 'string' ? storeId : one;
  });

/** Looks in every store. The answer is the first one that shows something. */
const readsEveryStore =
  (name: string): Plant =>
  (ports) =>
    inMethod(name, (original) => async (...given) => {
      const blank = JSON.stringify(await original(...inStore(given, '00000000-0000-7000-8000-00000000ffff')));
      for (const storeId of await storesIn(ports)) {
        const answer = await original(...inStore(given, storeId));
        const text = JSON.stringify(answer);
        if (answer !== null && text !== blank && text !== '[]') return answer;
      }
      return original(...given);
    })(ports);

/** Changes every store. */
const writesEveryStore =
  (name: string): Plant =>
  (ports) =>
    inMethod(name, (original) => async (...given) => {
      for (const storeId of await storesIn(ports)) await original(...inStore(given, storeId)).catch(() => undefined);
      return original(...given);
    })(ports);

const withoutNul = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown;

/** Takes U+0000 out of a text, and keeps the rest. */
const cutsNul = (name: string): Plant =>
  inMethod(
    name,
    (original) =>
      (...given) =>
        original(...given.map(withoutNul)),
  );

class Undo extends Error {}

const mutex = () => {
  let last = Promise.resolve();
  return async (): Promise<() => void> => {
    const before = last;
    let release = (): void => undefined;
    last = new Promise((resolve) => (release = resolve));
    await before;
    return release;
  };
};

const everyMethod = (tx: TransactionPorts, wrap: (name: string, original: Method) => Method): TransactionPorts =>
  Object.fromEntries(
    Object.entries(tx as unknown as AnyPorts).map(([port, methods]) => [
      port,
      Object.fromEntries(Object.entries(methods).map(([method, run]) => [method, wrap(`${port}.${method}`, run)])),
    ]),
  ) as unknown as TransactionPorts;

/** Each call is a transaction of its own. */
const commitsEachCall: Plant = (ports) =>
  withRun(
    ports,
    (run) => (work) =>
      run((tx) =>
        work(
          everyMethod(tx, (name) => (...given) => {
            const [port = '', method = ''] = name.split('.');
            return run((own) => (own as unknown as AnyPorts)[port]![method]!(...given));
          }),
        ),
      ),
  );

/** Keeps what a transaction has written, also when its work throws. */
const keepsThrown: Plant = (ports) =>
  withRun(ports, (run) => async (work) => {
    const outcome = await run((tx) =>
      work(tx).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      ),
    );
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  });

/** Answers, and keeps nothing. */
const losesCommits: Plant = (ports) =>
  withRun(ports, (run) => async <T>(work: Work<T>) => {
    let answer: { readonly value: T } | undefined;
    const end = await run(async (tx) => {
      answer = { value: await work(tx) };
      throw new Undo();
    }).catch((error: unknown) => error);
    if (!answer) throw end;
    return answer.value;
  });

/** Does not see its own rows by this method. */
const readsCommitted =
  (name: string): Plant =>
  (ports) =>
    withRun(
      ports,
      (run) => (work) =>
        run((tx) =>
          work(
            everyMethod(tx, (one, original) => (...given) => {
              const [port = '', method = ''] = name.split('.');
              return one === name ? run((own) => (own as unknown as AnyPorts)[port]![method]!(...given)) : original(...given);
            }),
          ),
        ),
    );

/** Commits although a failure was caught. */
const forgetsFailures: Plant = (ports) =>
  withRun(
    ports,
    (run) => (work) =>
      run((tx) =>
        work(
          everyMethod(
            tx,
            (_, original) =>
              (...given) =>
                JSON.stringify(given).includes('\\u0000') ? Promise.reject(new Error('refused')) : original(...given),
          ),
        ),
      ),
  );

/** A transaction has the only writer from its first write, or from its begin. */
const oneWriter = (takes: 'first write' | 'begin'): Plant => {
  const take = mutex();
  return (ports) =>
    withRun(ports, (run) => async (work) => {
      let release: (() => void) | undefined;
      if (takes === 'begin') release = await take();
      try {
        return await run((tx) =>
          work(
            everyMethod(tx, (name, original) => async (...given) => {
              if (/\.(put|save|append)/.test(name)) release ??= await take();
              return original(...given);
            }),
          ),
        );
      } finally {
        release?.();
      }
    });
};

const otherError: Plant = (ports) =>
  withRun(
    ports,
    (run) => (work) =>
      run(work).catch((error: unknown) => {
        throw error instanceof DatabaseUnavailable ? new Error('the database is away') : error;
      }),
  );

/** Searches fold ASCII letters alone. */
const foldsAscii = (name: string, at: number): Plant =>
  inMethod(name, (original) => (...given) => {
    const { q } = given[at] as { readonly q: string };
    return original(...given.with(at, { q: `${q}${/[A-Z]/.test(q) && Buffer.byteLength(q) > q.length ? '-' : ''}` }));
  });

/** Refuses for the state of the store before its domain. */
const refusesInOtherOrder: Plant = (ports) =>
  inMethod('admission.authenticate', (original) => async (token, domain, lookAhead) => {
    const answer = (await original(token, domain, lookAhead)) as { readonly ok: boolean; readonly reason?: string };
    if (answer.reason !== 'wrong_store') return answer;
    const { items } = await ports.stores.list({ skip: 0, take: 50 });
    return { ...answer, reason: items.some(({ status }) => status === 'Inactive') ? 'store_inactive' : answer.reason };
  })(ports);

/** Faults of each kind that an adapter may have. */
export const PLANTS: Readonly<Record<string, Plant>> = {
  ...Object.fromEntries(
    [
      ...['metaobjects.list', 'metaobjects.listOwn', 'tx.metaobjects.entriesAfter', 'tx.metaobjects.existing'],
      ...['tx.metaobjects.shareDefinition', 'installations.get', 'installations.signingSecrets', 'keyLog.get'],
      ...['idempotency.find', 'tx.idempotency.lock', 'tx.products.lock', 'productReader.list', 'productReader.detail'],
      ...['tx.categories.find', 'subscriptions.find', 'subscriptions.watch', 'deliveryLog.list', 'deliveryLog.get'],
      ...['eventFeed.newest', 'mediaImportLog.get', 'requestLog.list', 'incidents.list', 'figures.callsOf', 'auditLog.list'],
    ].map((name) => [`${name} reads every store`, readsEveryStore(name)]),
  ),
  ...Object.fromEntries(
    [
      ...['tx.metaobjects.putEntry', 'tx.metaobjects.deleteEntry', 'tx.products.remove', 'tx.collections.remove'],
      ...['tokens.revokeAll', 'productImports.see', 'installations.update', 'tx.idempotency.reset'],
    ].map((name) => [`${name} changes every store`, writesEveryStore(name)]),
  ),
  ...Object.fromEntries(
    ['tx.metaobjects.putDefinition', 'tx.products.insert', 'subscriptions.create', 'stores.update', 'requestLog.write'].map(
      (name) => [`${name} cuts U+0000`, cutsNul(name)],
    ),
  ),
  'each call commits by itself': commitsEachCall,
  'a transaction that throws is kept': keepsThrown,
  'commits are lost': losesCommits,
  'a transaction does not see its own entries': readsCommitted('metaobjects.entriesAfter'),
  'a transaction does not see its own products': readsCommitted('products.idsBySlug'),
  'failures that the work catches are forgotten': forgetsFailures,
  'the writer is not among the locks': oneWriter('first write'),
  'the writer is taken at the begin': oneWriter('begin'),
  'an outage is another error': otherError,
  'installations.list folds ASCII alone': foldsAscii('installations.list', 2),
  'stores.list folds ASCII alone': foldsAscii('stores.list', 1),
  'subscriptions.watch folds ASCII alone': foldsAscii('subscriptions.watch', 2),
  'refusals have another order': refusesInOtherOrder,
};
