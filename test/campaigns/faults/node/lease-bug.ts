import { openDatabase } from '../../../../src/adapters/prisma/connection/database.ts';
import { createWorkLeases } from '../../../../src/adapters/prisma/work/work-lease.ts';
import type { Ports } from '../../../../src/domain/ports/index.ts';
import { onOwnSession } from '../../../support/own-session.ts';

const WORKER = 'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid > 0 ORDER BY nodeid LIMIT 1';

/** The locks of the leases are on a worker of Citus. Who stops work looks for them on the coordinator. */
export const leaseOnWorker = (ports: Ports, databaseUrl: string): Ports => {
  const sql = openDatabase({ url: databaseUrl, connections: 2 });
  const opened = sql.pool.query<{ host: string; port: number }>(WORKER).then(({ rows: [worker] }) => {
    const url = new URL(databaseUrl);
    url.hostname = worker?.host ?? '';
    url.port = String(worker?.port);
    return onOwnSession(url.href, (session) => createWorkLeases({ session, sql }));
  });
  opened.catch(() => undefined);
  return { ...ports, workLeases: { ...ports.workLeases, acquire: async (...work) => (await opened).acquire(...work) } };
};
