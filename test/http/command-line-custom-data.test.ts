import { afterAll, beforeAll, expect, it } from 'vitest';

import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';

let app: OpenApp;
let store: TestStore;
beforeAll(async () => {
  app = await openApp();
  store = await app.aStore();
  const definition = { name: 'Look', fields: [{ key: 'title', type: 'single_line_text' }] };
  await app.admin('put', `/admin/stores/${store.id}/metaobject-definitions/look`).send(definition).expect(200);
  for (const handle of ['spring', 'summer']) {
    const installed = await app.anApp(store, ['write_metaobjects']);
    const call = app.api(store.domain, await app.token(installed));
    await call('put', `/custom-data/metaobjects/look/entries/${handle}`)
      .send({ fields: { title: handle } })
      .expect(200);
    if (handle === 'summer') await app.admin('post', `/admin/apps/${installed.id}/uninstall`).expect(204);
  }
});
afterAll(() => app.close());

const env = () => ({ TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN });
const customData = (...words: string[]) =>
  runCommand(['store', 'custom-data', ...words, '--store', store.domain], { env: env() });
const linesOf = ({ status, out }: Awaited<ReturnType<typeof customData>>): unknown[] => {
  expect(status).toBe(0);
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
};

it('lists, exports and deletes what installed and uninstalled apps keep, and deletes a type once its number was said', async () => {
  expect(linesOf(await customData('types', '--json'))).toEqual([
    expect.objectContaining({ type: 'look', entries: 2, keptEntries: 1 }),
  ]);
  const [spring, summer] = linesOf(await customData('list', 'look', '--json')) as { id: string; keptUntil: string | null }[];
  expect([spring, summer]).toEqual([
    expect.objectContaining({ handle: 'spring', keptUntil: null }),
    expect.objectContaining({ handle: 'summer', keptUntil: expect.stringMatching(/Z$/) as string }),
  ]);
  const exported = linesOf(await customData('export', 'look')) as { handle: string }[];
  expect(exported.map(({ handle }) => handle).toSorted()).toEqual(['spring', 'summer']);

  expect((await customData('delete', 'look', summer?.id ?? '', '--yes')).status).toBe(0);
  const unasked = await customData('delete-type', 'look');
  expect(unasked.status).not.toBe(0);
  expect(unasked.err).toContain('--yes');
  expect(linesOf(await customData('delete-type', 'look', '--yes', '--json'))).toEqual([{ entries: 1 }]);
  expect(linesOf(await customData('types', '--json'))).toEqual([]);
});

it('says that the store has no such type', async () => {
  const missing = await customData('list', 'colour');
  expect(missing.status).not.toBe(0);
  expect(missing.err).toContain('Metaobject type not found');
});
