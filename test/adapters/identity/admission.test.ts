import { expect, it } from 'vitest';

import type { Database } from '../../../src/adapters/prisma/connection/database.ts';
import { admission } from '../../../src/adapters/prisma/identity/admission.ts';
import { StoreDirectory } from '../../../src/adapters/prisma/identity/store-directory.ts';

const HASH = 'ab'.repeat(32);

it('the other store of a refused token is looked for one at a time, and not on the connection of all requests', async () => {
  const looks: ((rows: number) => void)[] = [];
  const pipeline = { rows: async (_: unknown, { hash }: { hash?: Buffer }) => (hash ? [] : [{ id: 'a store' }]) };
  const execute = () => new Promise<number>((resolve) => looks.push(resolve));
  const database = { pipeline, execute, rows: pipeline.rows } as unknown as Database;
  const { authenticate, authenticateSession } = admission(database, new StoreDirectory(database.pipeline), 60);

  const first = authenticate(HASH, 'a.test');
  const meanwhile = [await authenticateSession(HASH, 'a.test'), await authenticate(HASH, 'a.test')];
  expect(meanwhile).toEqual(Array(2).fill({ ok: false, reason: 'unknown_token' }));
  expect(looks).toHaveLength(1);
  looks[0]?.(1);
  expect(await first).toEqual({ ok: false, reason: 'wrong_store' });

  const next = authenticateSession(HASH, 'a.test');
  await expect.poll(() => looks.length).toBe(2);
  looks[1]?.(0);
  expect(await next).toEqual({ ok: false, reason: 'unknown_token' });
});
