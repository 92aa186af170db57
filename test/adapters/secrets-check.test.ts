import { expect, it } from 'vitest';

import { createSecrets } from '../../src/adapters/node/secrets.ts';
import type { SealedSecrets } from '../../src/adapters/storage/sealed-secrets.ts';
import { checkSecrets } from '../../src/adapters/wiring/doctor/diagnose.ts';

const keyOf = (kid: string) => ({ kid, key: Buffer.alloc(32, kid) });
const sealedUnder = (kid: string) => ({ storeId: '', id: kid, context: kid, sealed: createSecrets([keyOf(kid)]).seal('x', kid) });

/** A table with one secret of each key. */
const storedUnder = (...kids: string[]): SealedSecrets =>
  ({
    tables: [{ otherThan: async (_kid: string, after: unknown) => (after === null ? kids.map(sealedUnder) : []) }],
    peppers: { list: async () => [] },
  }) as unknown as SealedSecrets;

const check = (kids: string[], LOST_SECRET_KEYS: string[]) =>
  checkSecrets(storedUnder(...kids), { SECRET_KEYS: [keyOf('k3')], LOST_SECRET_KEYS });

const missing = (kid: string) => ({ result: 'failed', message: `SECRET_KEYS does not open 1 secret of key ${kid}` });
const lost = (kid: string) => ({
  result: 'warning',
  message: `Nothing opens 1 secret of key ${kid}, which LOST_SECRET_KEYS names`,
});

it('a key that is missing and one that is lost are two findings', async () => {
  expect(await check(['k1', 'k2', 'k3'], ['k2'])).toMatchObject([missing('k1'), lost('k2')]);
});

it('where only lost keys are missing, nothing has failed', async () => {
  expect(await check(['k2', 'k3'], ['k1', 'k2'])).toMatchObject([lost('k2')]);
  expect(await check(['k3'], ['k2'])).toMatchObject({ result: 'ok' });
});
