import fc from 'fast-check';

import { QUERIES, SEGMENTS } from '../support/payloads.ts';
import { bodyText, fitting, spoiltText } from '../support/arbitrary.ts';
import type { Case } from '../support/campaign.ts';
import { operations, type Operation, type Parameter } from '../support/operations.ts';
import { each, type Attack } from '../support/attacker.ts';
import { idsIn, openShop, pathOf, tokenOf, type App, type Shop } from '../support/shop.ts';
import { asAdmin, asApp, type Site } from '../support/site.ts';

interface Target {
  readonly site: Site;
  readonly shop: Shop;
  readonly app: App;
  /** Ids of all kinds. */
  readonly ids: readonly string[];
}

/** Differences of an arbitrary request from a good one. */
interface Request {
  readonly ids: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Texts that a header may hold on the wire. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 300,
});

const pathIds = (operation: Operation, { shop, app, ids }: Target) => {
  const right = idsIn(operation, shop, app);
  const odd = fc.oneof(fc.constantFrom(...ids), fc.uuid(), fc.constantFrom(...SEGMENTS));
  return fc.record(
    Object.fromEntries(
      Object.entries(right).map(([name, id]) => [
        name,
        fc.oneof({ weight: 6, arbitrary: fc.constant(id) }, { weight: 1, arbitrary: odd }),
      ]),
    ),
  );
};

const queryOf = (operation: Operation, { ids }: Target): fc.Arbitrary<string> => {
  const asked = operation.parameters.filter((parameter) => parameter.in === 'query');
  const value = ({ schema }: Parameter) =>
    fc
      .oneof(fitting(schema, operation.side, ids), fc.string({ unit: 'binary', maxLength: 20 }))
      .map((it) => encodeURIComponent(String(it)));
  const pairs = fc
    .record(Object.fromEntries(asked.map((parameter) => [parameter.name, value(parameter)])), { requiredKeys: [] })
    .map((fields) =>
      Object.entries(fields)
        .map((pair) => pair.join('='))
        .join('&'),
    );
  return fc.oneof({ weight: 4, arbitrary: pairs }, { weight: 1, arbitrary: fc.constantFrom(...QUERIES) });
};

const headersOf = (operation: Operation): fc.Arbitrary<Record<string, string>> => {
  const names = operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase());
  const odd = fc.dictionary(fc.constantFrom(...names, 'accept', 'x-forwarded-host'), headerText);
  return fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: odd });
};

const requestOf = (operation: Operation, target: Target): fc.Arbitrary<Request> => {
  const bodies = Object.entries(operation.bodies).map(([type, { schema, example }]) => {
    const text = typeof example === 'string' ? spoiltText(example) : bodyText(schema, example, operation.side, target.ids);
    return text.map((body) => ({ type, body }));
  });
  const body = bodies.length > 0 ? fc.oneof(...bodies) : fc.constant(null);
  return fc
    .record({ ids: pathIds(operation, target), query: queryOf(operation, target), headers: headersOf(operation), body })
    .map(({ body: sent, headers, ...rest }) =>
      sent ? { ...rest, headers: { 'content-type': sent.type, ...headers }, body: sent.body } : { ...rest, headers },
    );
};

const send = (operation: Operation, { site, shop, app }: Target, { ids, query, headers, body }: Request) => {
  const ask = operation.side === 'admin' ? asAdmin(site) : asApp(site, shop, app);
  const path = `${pathOf(operation.path, ids)}${query === '' ? '' : `?${query}`}`;
  const { makesSecrets } = operation;
  // 404 where the path led to no route and 405 where it led to another: no operation documents these.
  const more: Partial<Attack> = { what: 'any request', headers, makesSecrets, wanted: [...operation.statuses, 400, 404, 405] };
  return ask(operation.method, path, body, more);
};

/** Operations that end an app get a separate app. */
const targetOf = ({ path }: Operation, target: Target, doomed: Target): Target =>
  /uninstall|revoke-tokens|\/apps\/\{installationId\}$/.test(path) ? doomed : target;

/** Requires that the token still works; without it every answer would be an easy 401. */
const stillIn = async ({ site, shop, app }: Target): Promise<void> => {
  await asApp(site, shop, app)('GET', '/apps/webhooks/subscriptions', undefined, { wanted: [200] });
  await tokenOf(site, shop.domain, app);
};

/**
 * Requests of every operation in the OpenAPI documents of both listeners: paths, queries, headers
 * and bodies by their description, with one invalid part, or random.
 */
export const properties: Case = {
  about: 'Random requests to every operation in the OpenAPI documents, by its description.',
  run: async ({ site: openShared, seed, requests }) => {
    const site = await openShared();
    const [shop, spare] = [await openShop(site, operations, 2), await openShop(site, operations, 1)];
    const ids = [shop, spare].flatMap(({ id, products, collection, category, taxClass, apps }) => [
      ...[id, collection, category, taxClass, ...products],
      ...apps.flatMap(({ installationId, subscription }) => [installationId, subscription]),
    ]);
    const main: Target = { site, shop, app: shop.apps[0]!, ids };
    // The merchant may move a store or end it: on another than the apps work in.
    const merchant: Target = {
      site,
      shop: spare,
      app: shop.apps[1]!,
      ids: ids.filter((id) => id !== shop.id && id !== main.app.installationId),
    };
    const doomed: Target = { ...merchant, app: spare.apps[0]! };
    const numRuns = Math.ceil(requests / operations.length);
    await each(operations.entries(), async ([index, operation]) => {
      const target = operation.side === 'app' ? main : targetOf(operation, merchant, doomed);
      for (const it of fc.sample(requestOf(operation, target), { seed: seed + index, numRuns }))
        await send(operation, target, it);
    });
    await stillIn(main);
    return { operations: operations.length, 'requests to each': numRuns };
  },
};
