import { afterAll, beforeAll, expect, it } from 'vitest';

import { runCommand } from '../../support/command-line.ts';
import { respond, startReceiver, type Receiver } from '../../support/receiver.ts';

const ID = '01a20000-0000-7000-8000-000000000001';
const delivery = (id: string, more: object) => ({
  id,
  status: 'Failed',
  receiver: { name: `hooks.example.com/${'x'.repeat(40)}/orders`, owner: 'Stock synchronisation' },
  gathered: null,
  attempts: 10,
  error: 'connection_closed',
  responseStatus: null,
  ...more,
});

let server: Receiver;
beforeAll(async () => {
  server = await startReceiver();
});
afterAll(() => server.close());

const event = {
  id: ID,
  type: 'product.updated',
  data: {},
  deliveries: [delivery(ID, {})],
  gatheredInto: [delivery('01a20000-0000-7001-8000-000000000001', { gathered: 12 })],
  notSent: [],
};

it.each([80, 100])('tenon events get fits a terminal of %i characters', async (columns) => {
  server.answer((response, request) => {
    const found = request.path.includes('/events/') ? event : { id: ID, domain: 'shop.test' };
    respond(200, JSON.stringify(found))(response, request);
  });
  const env = { TENON_ADMIN_TOKEN: 'token', TENON_ADMIN_URL: server.url, NO_COLOR: '1' };
  const { status, out } = await runCommand(['events', 'get', ID, '--store', ID], { env, terminal: true, columns });
  expect(status).toBe(0);
  const lines = out.slice(out.indexOf('DELIVERY')).trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
  expect(lines[0]).toMatch(/^DELIVERY +STATUS +RECEIVER .*ERROR$/);
  expect(lines[1]).toMatch(/^01a20000-0000-7000 +Failed .*orders .*connection_/);
});
