import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { locateBinaries } from '../../../src/adapters/embedded/binaries.ts';
import { openDatabase } from '../../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../../src/adapters/prisma/connection/migrate.ts';
import { createPrismaPorts } from '../../../src/adapters/prisma/ports.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { startOtherPostgres } from '../../support/other-postgres.ts';
import { openTestDatabase } from '../../support/postgres.ts';
import { creatingBy } from '../rules/creating.ts';
import { prepare, writeOn } from '../rules/crash-writers.ts';
import type { CrashWorld, RulesWorld } from '../rules/rules-world.ts';

/** Each definition that is written conflicts with another transaction, for this many times. A sequence is not rolled back. */
const REFUSING = `
  CREATE SEQUENCE refused;
  CREATE TABLE refusing (times int);
  INSERT INTO refusing VALUES (0);
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT times FROM refusing) > 0 AND nextval('refused') <= (SELECT times FROM refusing) THEN
        RAISE EXCEPTION 'refused' USING ERRCODE = '40001';
      END IF;
      RETURN NEW;
    END $$;
  CREATE TRIGGER refusing BEFORE INSERT OR UPDATE ON metaobject_definitions FOR EACH ROW EXECUTE FUNCTION refuse();`;

export const postgresqlRulesWorld = async (): Promise<RulesWorld> => {
  const database = await openTestDatabase({ pipelined: true });
  await database.query(REFUSING);
  const ids = sequentialIds();
  const ports = createPrismaPorts(database, { clock: manualClock(Date.now()), ids, idempotencyTtlSeconds: 86_400 });
  return {
    ports,
    ...creatingBy(ports, () => ids.next()),
    refuse: async (next) => {
      await database.query('UPDATE refusing SET times = $1', [next]);
      await database.query("SELECT setval('refused', 1, false)");
    },
    close: () => database.close(),
  };
};

export const postgresqlCrashWorld = async (): Promise<CrashWorld> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-crash-'));
  const { postgres } = await locateBinaries();
  const server = await startOtherPostgres(dirname(postgres), join(folder, 'cluster'));
  const ids = sequentialIds();
  const open = () => {
    const database = openDatabase({ url: server.url, pipelined: true });
    const ports = createPrismaPorts(database, { clock: manualClock(Date.now()), ids, idempotencyTtlSeconds: 86_400 });
    return { database, ports };
  };
  let now = open();
  await migrate(now.database);
  const { aStore, anInstallation } = creatingBy(now.ports, () => ids.next());
  const storeId = await aStore('crash.test');
  const shop = { storeId, installationId: await anInstallation(storeId, 'client') };
  await prepare(now.ports, shop);
  let last = 0;
  return {
    // Each is a start of a server, and `npm run faults` has many more.
    crashes: 3,
    shop,
    write: (onDone) =>
      writeOn(now.ports, shop, last, (number) => {
        last = Math.max(last, number);
        onDone(number);
      }),
    crash: () => server.end('SIGQUIT'),
    reopen: async () => {
      await now.database.close();
      await server.start();
      now = open();
      last += 100;
      return now.ports;
    },
    close: async () => {
      await now.database.close();
      await server.end('SIGQUIT');
      await rm(folder, { recursive: true });
    },
  };
};
