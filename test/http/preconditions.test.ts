import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { adminRoutes, appRoutes } from '../../src/adapters/http/routes.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

const ID = '019a0000-0000-7000-8000-000000000001';

let server: OpenApp;
let store: TestStore;
let token: string;

beforeAll(async () => {
  server = await openApp();
  store = await server.aStore();
  token = await server.token(await server.anApp(store));
  const definition = { name: 'Look', fields: [{ key: 'title', type: 'single_line_text' }] };
  await server.admin('put', `/admin/stores/${store.id}/metaobject-definitions/look`).send(definition).expect(200);
});
afterAll(() => server.close());

type Verb = 'get' | 'put' | 'patch' | 'delete';
interface Resource {
  readonly path: () => string;
  readonly call: (verb: Verb, path: string) => ReturnType<OpenApp['admin']>;
  readonly body: (text: string) => object;
}

/** Every resource that has an ETag and can be written, by the path of its routes. */
const RESOURCES: Readonly<Record<string, Resource>> = {
  '/custom-data/metaobjects/:type/entries/:handle': {
    path: () => '/custom-data/metaobjects/look/entries/spring',
    call: (verb, path) => server.api(store.domain, token)(verb, path),
    body: (title) => ({ fields: { title } }),
  },
  '/admin/stores/:storeId/products/:productId': {
    path: () => `/admin/stores/${store.id}/products/${ID}`,
    call: (verb, path) => server.admin(verb, path),
    body: (name) => ({ name }),
  },
};

const routes = [...appRoutes, ...adminRoutes];
const writes = routes.filter(({ method }) => method === 'put' || method === 'patch' || method === 'delete');

it('every resource with an ETag that can be written is tried here', () => {
  const tagged = new Set(routes.filter(({ method, etag }) => method === 'get' && etag).map(({ path }) => path));
  const written = writes.filter(({ path }) => tagged.has(path));
  expect(new Set(written.map(({ path }) => path))).toEqual(new Set(Object.keys(RESOURCES)));
  expect(written.filter(({ etag }) => !etag)).toEqual([]);
});

describe.each(Object.entries(RESOURCES))('%s', (_, { path, call, body }) => {
  const read = async () => {
    const answer = await call('get', path()).expect(200);
    return { tag: String(answer.headers['etag']), text: answer.text };
  };
  const detailOf = (answer: { readonly body: unknown }): string => {
    const { detail, error } = answer.body as { detail?: string; error?: string };
    return detail ?? error ?? '';
  };

  it('If-None-Match: * lets one of many creators create', async () => {
    const created = await Promise.all(
      Array.from(
        { length: 12 },
        async (__, at) =>
          (
            await call('put', path())
              .set('If-None-Match', '*')
              .send(body(`by ${String(at)}`))
          ).status,
      ),
    );
    expect(
      created.filter((status) => status === 200),
      created.join(),
    ).toHaveLength(1);
    expect(created.filter((status) => status === 412)).toHaveLength(11);
    expect(detailOf(await call('put', path()).set('If-None-Match', '*').send(body('again')).expect(412))).toContain(
      'exists already',
    );
  });

  it('If-Match with a tag that has changed is 412 for each write, and changes nothing', async () => {
    const { tag } = await read();
    await call('put', path()).set('If-Match', tag).send(body('changed')).expect(200);
    const { text } = await read();
    await call('put', path()).set('If-Match', tag).send(body('overwritten')).expect(412);
    await call('delete', path()).set('If-Match', tag).expect(412);
    expect((await read()).text).toBe(text);
  });

  it('the tag that a write answers is that of the next read', async () => {
    const answer = await call('put', path()).send(body('tagged')).expect(200);
    expect(answer.headers['etag']).toBe((await read()).tag);
  });

  it.each([
    [(tag: string) => `W/${tag}`, 'weak tag'],
    [(tag: string) => tag.replace(/"$/, '-gzip"'), 'extended'],
    [(tag: string) => tag.replaceAll('"', ''), 'double quotes'],
  ])('a tag that was rewritten on its way is 412, and says what to do', async (rewritten, advice) => {
    const { tag, text } = await read();
    expect(detailOf(await call('put', path()).set('If-Match', rewritten(tag)).send(body('x')).expect(412))).toContain(advice);
    expect((await read()).text).toBe(text);
  });

  it('If-Unmodified-Since is 400, and changes nothing', async () => {
    const { text } = await read();
    const date = new Date().toUTCString();
    for (const verb of ['put', 'delete'] as const)
      expect(detailOf(await call(verb, path()).set('If-Unmodified-Since', date).send(body('x')).expect(400))).toContain(
        'If-Match',
      );
    expect((await read()).text).toBe(text);
  });

  it('the right tag deletes it', async () => {
    await call('delete', path())
      .set('If-Match', (await read()).tag)
      .expect(204);
    await call('get', path()).expect(404);
  });
});

describe('a write of what has no ETag refuses a condition that it would ignore', () => {
  const untagged = writes.filter(({ etag }) => !etag);
  it.each(untagged.map(({ method, path, access }) => [method as Verb, path, access.kind] as const))(
    '%s %s',
    async (verb, path, kind) => {
      const at = path.replace(':storeId', store.id).replaceAll(/:\w+/g, ID);
      const call = kind === 'admin' ? server.admin(verb, at) : server.api(store.domain, token)(verb, at);
      const answer = await call.set('If-Match', '"x"').send({});
      // Who may not reach the resource, or does not find its store, learns that first.
      expect([400, 403, 404]).toContain(answer.status);
      if (answer.status === 400) expect(answer.text).toContain('does not support If-Match');
    },
  );
});
