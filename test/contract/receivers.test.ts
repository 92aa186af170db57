import { afterAll, beforeAll, expect, it } from 'vitest';

import { isReceiver } from '../../src/adapters/prisma/webhooks/subscriptions/receivers.ts';
import { INSTALLATION_STATUSES } from '../../src/domain/identity/installation.ts';
import { ALL_SCOPES, type Scope } from '../../src/domain/identity/scope.ts';
import { PRIVATE_TYPES, SUBSCRIBABLE_TYPES } from '../../src/domain/webhooks/event.ts';
import { mayReceiveType } from '../../src/domain/webhooks/subscription.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const OWN = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';

/** Numbers from 0 to 1 that are equal in each run. */
const numbers = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

const next = numbers(7);
const scopeSets: (readonly Scope[])[] = [
  [],
  ALL_SCOPES,
  ...Array.from({ length: 40 }, () => ALL_SCOPES.filter(() => next() < 0.2)),
];
const cases = scopeSets.flatMap((scopes) =>
  SUBSCRIBABLE_TYPES.flatMap((type) =>
    INSTALLATION_STATUSES.flatMap((status) => [null, OWN, OTHER].map((origin) => ({ scopes, type, status, origin }))),
  ),
);

it('an app receives in SQL what its scopes allow in the domain for each cause and status', async () => {
  const rows = await database.query<{ n: number; receives: boolean }>(
    `SELECT c.n, coalesce(${isReceiver('c.type', 'c.origin', 'NULL').replaceAll('$storeId', 'NULL')}, false) AS receives
     FROM json_to_recordset($1::json) AS c(n int, scopes text[], type text, status text, origin uuid)
       CROSS JOIN LATERAL (SELECT true AS is_active, NULL::uuid AS app_id, '${OWN}'::uuid AS installation_id) s
       CROSS JOIN LATERAL (SELECT c.status, c.scopes) i`,
    [JSON.stringify(cases.map((one, n) => ({ ...one, n })))],
  );
  const receives = new Map(rows.map((row) => [row.n, row.receives]));
  const wrong = cases.filter(({ scopes, type, status, origin }, n) => {
    const isOfAnother = PRIVATE_TYPES.some((one) => one === type) && origin === OTHER;
    return receives.get(n) !== (status !== 'Uninstalled' && mayReceiveType(scopes, type) && !isOfAnother);
  });
  expect(wrong).toEqual([]);
  expect(rows.some((row) => row.receives)).toBe(true);
});
