import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runCommand, type Ran } from '../../support/command-line.ts';
import { respond, startReceiver, type Receiver } from '../../support/receiver.ts';

const ID = '01a20000-0000-7000-8000-000000000001';

let server: Receiver;
beforeAll(async () => {
  server = await startReceiver();
});
afterAll(() => server.close());

const redeliver = (words: readonly string[]): Promise<Ran> => {
  const env = { TENON_ADMIN_TOKEN: 'token', TENON_ADMIN_URL: server.url };
  return runCommand(['deliveries', 'redeliver', ...words], { env });
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
