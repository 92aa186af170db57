import { afterAll, beforeAll, expect, it } from 'vitest';

import { CREDENTIAL_PATTERNS } from '../../src/domain/identity/token.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';

let app: OpenApp;
let store: TestStore;
beforeAll(async () => {
  app = await openApp({ ROLE: 'api' });
  store = await app.aStore();
  await app.aStore();
});
afterAll(() => app.close());

const run = (token: string, ...args: string[]) =>
  runCommand(args, { env: { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: token } });
const tenon = async (...args: string[]): Promise<string> => {
  const { out, err, status } = await run(ADMIN_TOKEN, 'operators', ...args);
  if (status !== 0) throw new Error(err);
  return out.trim();
};
const json = async <T>(...args: string[]): Promise<T> => JSON.parse(await tenon(...args, '--json')) as T;

it('an operator is added, changed, given a token that works for its store alone, and ended', async () => {
  const added = await json<{ id: string }>('add', 'Ada', '--role', 'operator', '--stores', store.domain);
  expect(added).toMatchObject({ name: 'Ada', role: 'operator', storeIds: [store.id] });
  const token = await tenon('token', 'Ada', '--name', 'ci', '--expires', '2099-01-01');
  expect(token).toMatch(CREDENTIAL_PATTERNS.operatorToken);
  expect((await run(token, 'store', 'list', '--json')).out).toContain(store.id);
  expect((await run(token, 'store', 'list', '--json')).out.trim().split('\n')).toHaveLength(1);
  const refused = await run(token, 'operators', 'list');
  expect([refused.status, refused.err]).toEqual([
    expect.any(Number),
    expect.stringContaining('Your role is operator. This needs owner.'),
  ]);

  expect(await json('tokens', 'Ada')).toMatchObject({ name: 'ci', expiresAt: '2099-01-01T00:00:00.000Z' });
  expect(await json('edit', 'Ada', '--role', 'owner', '--all-stores')).toMatchObject({ role: 'owner', storeIds: null });
  expect((await run(token, 'operators', 'list', '--json')).out).toContain(added.id);

  const { id } = await json<{ id: string }>('tokens', 'Ada');
  await tenon('revoke', 'Ada', id.slice(0, 13), '--yes');
  expect((await run(token, 'store', 'list')).err).toContain('The admin token is missing or wrong.');
  expect(await json('end', 'Ada', '--yes')).toMatchObject({ id: added.id, endedAt: expect.any(String) as string });
  await expect(tenon('link', 'Ada')).rejects.toThrow('There is no operator Ada. See tenon operators list.');
});

it('a link signs an operator in, and the session is listed and ended', async () => {
  await tenon('add', 'Grace');
  const url = await tenon('link', 'Grace');
  const code = new URL(url).hash.replace('#code=', '');
  const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };
  const signedIn = await fetch(`${app.adminUrl}/console/session`, { method: 'POST', headers, body: JSON.stringify({ code }) });
  expect(signedIn.status).toBe(200);
  const session = await json<{ id: string; operator: unknown }>('sessions');
  expect(session.operator).toMatchObject({ name: 'Grace' });
  expect(await tenon('sessions', '--end', session.id, '--yes')).toBe(session.id);
  expect(await tenon('sessions', '--json')).toBe('');
});

it('a change without anything to change, and stores given twice, are wrong uses', async () => {
  await tenon('add', 'Lin');
  await expect(tenon('edit', 'Lin')).rejects.toThrow('Give what to change');
  await expect(tenon('edit', 'Lin', '--stores', store.domain, '--all-stores')).rejects.toThrow('not both');
  await expect(tenon('token', 'Lin', '--expires', 'soon')).rejects.toThrow('--expires must be a time');
});
