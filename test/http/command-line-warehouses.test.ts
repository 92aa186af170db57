import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';

const NORTH = '019a0000-0000-7000-8000-0000000000a1';

let app: OpenApp;
let store: TestStore;
beforeAll(async () => {
  app = await openApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  store = await app.aStore();
});

const env = () => ({ TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN });
const warehouses = (...words: string[]) => runCommand(['warehouses', ...words, '--store', store.domain], { env: env() });
const listed = async (): Promise<unknown[]> => {
  const { status, out } = await warehouses('list', '--json');
  expect(status).toBe(0);
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
};

it('names a warehouse, lists it beside that of stock, and clears what is empty', async () => {
  await app.importProducts(store, [{ name: 'Saw', variants: [{ sku: 'SAW', currency: 'EUR', inventory: [{ available: 1 }] }] }]);
  const set = await warehouses('set', NORTH, '--name', 'North', '--country', 'DE');
  expect([set.status, set.out]).toEqual([0, expect.stringContaining('North')]);
  const named = { id: NORTH, name: 'North', code: null, country: 'DE' };
  const unnamed = { id: store.id, name: store.id, code: null, country: null };
  const both = [named, unnamed].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expect(await listed()).toEqual(both);
  expect((await warehouses('list')).out).toContain('North');
  expect((await warehouses('set', NORTH, '--code', 'N', '--country', '')).status).toBe(0);
  expect(await listed()).toContainEqual({ ...named, code: 'N', country: null });
});

it('says what is wrong, and exits with another status', async () => {
  expect(await warehouses('set', NORTH)).toMatchObject({
    status: 2,
    err: expect.stringContaining('--name, --code or --country') as string,
  });
  const refused = await warehouses('set', NORTH, '--country', 'Germany');
  expect(refused.status).not.toBe(0);
  expect(refused.err).toContain('must be a country of ISO 3166-1 alpha-2, such as DE, and "Germany" is not one');
  expect(await listed()).toEqual([]);
});
