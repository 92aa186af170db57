import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';

import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { createFeedSignal } from '../../src/adapters/prisma/webhooks/feed/feed-signal.ts';
import { DatabaseUnavailable } from '../../src/domain/ports/transaction.ts';
import { freePort } from '../support/free-port.ts';
import { onOwnSession } from '../support/own-session.ts';

it('a database that cannot be reached is an outage, for which a request is answered 503', async () => {
  const url = `postgresql://nobody@127.0.0.1:${await freePort()}/none`;
  const sql = openDatabase({ url });
  const signal = onOwnSession(url, (session) => createFeedSignal({ session, sql }));
  const watch = signal.watch({ storeId: randomUUID(), installationId: randomUUID() }, 1, new AbortController().signal);
  await expect(watch).rejects.toBeInstanceOf(DatabaseUnavailable);
  await signal.close();
  await sql.close();
});
