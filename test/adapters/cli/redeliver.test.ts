import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runCommand, type Ran, type RanOptions } from '../../support/command-line.ts';
import { respond, startReceiver, type Receiver } from '../../support/receiver.ts';

const ID = '01a20000-0000-7000-8000-000000000001';
const FILTER = ['--status', 'Failed', '--store', ID];

let server: Receiver;
beforeAll(async () => {
  server = await startReceiver();
});
afterAll(() => server.close());

const redeliver = (words: readonly string[], options: RanOptions = {}): Promise<Ran> => {
  const env = { TENON_ADMIN_TOKEN: 'token', TENON_ADMIN_URL: server.url };
  return runCommand(['deliveries', 'redeliver', ...words], { env, ...options });
};

describe('tenon deliveries redeliver', () => {
  it('takes an id with the flags of every command', async () => {
    server.answer(respond(204));
    for (const flags of [[], ['--quiet'], ['--admin-url', server.url]])
      expect(await redeliver([ID, ...flags])).toEqual({ status: 0, out: `${ID}\n`, err: '' });
    expect(await redeliver([ID, '--json'])).toEqual({ status: 0, out: `{"id":"${ID}"}\n`, err: '' });
  });

  it('does not take them for a filter', async () => {
    for (const flags of [['--json'], ['--admin-url', server.url]])
      expect(await redeliver(flags)).toMatchObject({ status: 2, err: expect.stringContaining('or a filter such as') });
  });
});

describe('tenon deliveries redeliver by a filter', () => {
  const counts = (deliveries: number, isComplete: boolean, more: object = {}): void => {
    const store = { id: ID, domain: 'shop.test' };
    const counted = { id: null, deliveries, held: [], refused: [], isComplete, ...more };
    const redelivery = { id: ID, isFinished: true, sent: 7, skipped: 0 };
    server.answer((response, { method, path, body }) => {
      const isCount = body.toString().includes('"dryRun":true');
      const found = path.includes('/redeliveries/')
        ? redelivery
        : method === 'GET'
          ? store
          : { ...counted, ...(!isCount && { id: ID }) };
      respond(200, JSON.stringify(found))(response, { method, path, body, headers: {} });
    });
  };

  it('says that nothing matches only where all was counted', async () => {
    counts(0, true);
    expect(await redeliver(FILTER)).toMatchObject({ status: 0, err: 'No delivery matches.\n' });
    counts(0, false);
    const { status, out, err } = await redeliver(FILTER, { terminal: true, stdin: 'y\n' });
    expect(err).toContain('This queues at least 0 deliveries again.');
    expect({ status, sent: out.includes('7') }).toEqual({ status: 0, sent: true });
  });

  it('asks before it queues one delivery', async () => {
    counts(1, true);
    const { err } = await redeliver(FILTER, { terminal: true, stdin: 'y\n' });
    expect(err).toContain('This queues 1 delivery again.');
  });

  it('says of deliveries that cannot be sent that they match', async () => {
    counts(0, true, { refused: [{ reason: 'deactivated', count: 3 }] });
    const { err } = await redeliver(FILTER);
    expect(err).toContain('3 cannot be sent.');
    expect(err).not.toContain('No delivery matches');
  });

  it.each([
    [12, false, 'at least 12'],
    [12, true, '12'],
  ])('a dry run shows a count of %i, complete: %s, as %s', async (deliveries, isComplete, shown) => {
    counts(deliveries, isComplete);
    expect((await redeliver([...FILTER, '--dry-run'])).out).toBe(`deliveries\t${shown}\n`);
    const { out } = await redeliver([...FILTER, '--dry-run', '--json']);
    expect(JSON.parse(out)).toMatchObject({ deliveries, isComplete });
  });
});
