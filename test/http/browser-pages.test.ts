import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { adminListenerRoutes, publicRoutes } from '../../src/adapters/http/routes.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { aPlatformApp, type TestPlatformApp } from '../support/platform-apps.ts';

/** Firefox and Chrome send this Accept header with an address that a person opens. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

interface Visit {
  readonly path: string;
  readonly status: number;
  readonly says: string;
  /** The listener of the operator; that of the stores by default. */
  readonly isAdmin?: boolean;
  readonly host?: string;
}

let app: OpenApp;
let [open, closed]: TestStore[] = [];
let platform: TestPlatformApp;
beforeAll(async () => {
  app = await openApp({ ROLE: 'api', APP_CONSOLE: 'on' });
  [open, closed] = [await app.aStore(), await app.aStore()];
  await app.admin('patch', `/admin/stores/${closed.id}`).send({ status: 'Inactive' }).expect(200);
  platform = await aPlatformApp(app);
});
afterAll(() => app.close());

const install = (more: Readonly<Record<string, string>> = {}): string => {
  const { clientId, redirectUrl } = platform;
  return `/apps/install?${new URLSearchParams({ client_id: clientId, redirect_uri: redirectUrl, ...more }).toString()}`;
};

const VISITS: readonly (readonly [title: string, visit: () => Visit])[] = [
  [
    'an unknown store',
    () => ({ path: install(), host: 'frist.localhost', status: 404, says: 'No store is open at this address' }),
  ],
  [
    'a host that no store can have',
    () => ({ path: install(), host: '[::1]', status: 404, says: 'No store is open at this address' }),
  ],
  [
    'an inactive store',
    () => ({ path: install(), host: closed?.domain ?? '', status: 404, says: 'No store is open at this address' }),
  ],
  ['an unknown app', () => ({ path: install({ client_id: 'tnn_cid_x' }), status: 400, says: 'This link does not work' })],
  [
    'a wrong redirect URL',
    () => ({ path: install({ redirect_uri: 'https://x.example' }), status: 400, says: 'This link does not work' }),
  ],
  ['a link without a client id', () => ({ path: '/apps/install', status: 400, says: 'This link does not work' })],
  ['a path that cannot be read', () => ({ path: '/docs/%E0%A4%A', status: 400, says: 'This link does not work' })],
  ['an unknown page of the documentation', () => ({ path: '/docs/nope', status: 404, says: 'There is no page at this address' })],
  ['an unknown picture of it', () => ({ path: '/docs/images/nope.png', status: 404, says: 'There is no page at this address' })],
  ['the first page', () => ({ path: '/', status: 404, says: 'There is no page at this address' })],
  ['the documentation', () => ({ path: '/docs', status: 200, says: 'Tenon' })],
  ['the portal', () => ({ path: '/apps/console', status: 200, says: 'Tenon console' })],
  ['its sign-in', () => ({ path: '/apps/console/sign-in?next=%2Fx', status: 200, says: 'Tenon console' })],
  ['an unknown file of the portal', () => ({ path: '/apps/console/assets/x.js', status: 404, says: 'File not found' })],
  [
    'the session of the portal',
    () => ({ path: '/apps/console/session', status: 403, says: 'The request did not come from a page of this console' }),
  ],
  ['the console', () => ({ path: '/console', isAdmin: true, status: 200, says: 'Tenon console' })],
  ['its sign-in', () => ({ path: '/console/sign-in', isAdmin: true, status: 200, says: 'Tenon console' })],
  [
    'the decision of a merchant',
    () => ({ path: '/console/install?request=x', isAdmin: true, status: 200, says: 'Tenon console' }),
  ],
  [
    'the session of the console',
    () => ({
      path: '/console/session',
      isAdmin: true,
      status: 403,
      says: 'The request did not come from a page of this console',
    }),
  ],
  [
    'the console by a foreign name',
    () => ({
      path: '/console/session',
      isAdmin: true,
      host: 'evil.example',
      status: 403,
      says: 'The console is not open on this host',
    }),
  ],
  [
    'an unknown file of the console',
    () => ({ path: '/console/assets/x.js', isAdmin: true, status: 404, says: 'File not found' }),
  ],
  [
    'an unknown page of the documentation',
    () => ({ path: '/docs/nope', isAdmin: true, status: 404, says: 'There is no page at this address' }),
  ],
];

const visit = ({ path, isAdmin = false, host = open?.domain ?? '' }: Visit, accept: string) =>
  request(isAdmin ? app.adminUrl : app.url)
    .get(path)
    .set({ Accept: accept, ...(isAdmin && host === open?.domain ? {} : { Host: host }) });

describe('what a person opens in a browser', () => {
  it.each(VISITS)('is answered with a page and without a challenge: %s', async (_title, of) => {
    const opened = of();
    const { status, headers, text } = await visit(opened, BROWSER);
    expect([status, headers['content-type'], headers['www-authenticate']]).toEqual([
      opened.status,
      'text/html; charset=utf-8',
      undefined,
    ]);
    expect(text).toContain(opened.says);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it.each(VISITS)('is answered without a challenge to a program, too: %s', async (_title, of) => {
    const opened = of();
    const { status, headers } = await visit(opened, '*/*');
    expect([status, headers['www-authenticate']]).toEqual([opened.status, undefined]);
    if (opened.status >= 400) expect(headers['content-type']).toMatch(/^application\/(problem\+)?json/);
  });

  it('is every route for visitors', () => {
    const visitors = [...publicRoutes, ...adminListenerRoutes].filter(({ access }) => access.kind === 'visitor');
    expect(visitors.map(({ path, errors }) => [path, errors])).toEqual([['/apps/install', 'page or plain']]);
  });

  it('shows nothing of an address as markup', async () => {
    const { text } = await visit({ path: install({ scope: '<script>alert(1)</script>' }), status: 400, says: '' }, BROWSER);
    expect(text).not.toContain('<script');
  });

  it('is not the API: a program that takes HTML first gets its errors as they are', async () => {
    const { status, headers } = await visit({ path: '/apps/nope', status: 404, says: '' }, BROWSER);
    expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });
});
