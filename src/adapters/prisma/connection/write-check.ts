import type { Database } from './database.ts';
import { statement } from './statement.ts';

const ANSWERS = statement({ text: 'SELECT' });

/** The rows of the next statement do not fit into this, so that it writes them to the disk. */
const SMALL_MEMORY = statement({ text: "SET LOCAL work_mem = '64kB'" });
const NEEDS_DISK = statement({ text: 'SELECT FROM generate_series(1, 10000) HAVING count(*) > 0' });

/** Refused by a standby and by a database that is read-only, which also ends the connection to it. */
const MAY_WRITE = statement({ text: 'DELETE FROM stores WHERE false' });

/** A standby that is away makes writes wait, and reads continue: so the node stays ready. */
const ON_THIS_SERVER = statement({ text: 'SET LOCAL synchronous_commit = local' });

/**
 * Writes a record that the commit waits for, into the log of the server and into no table: it locks
 * no row and leaves none behind.
 */
const WRITES = statement({ text: `SELECT FROM pg_logical_emit_message(true, 'tenon', 'ready')` });

/**
 * Throws unless the database answers over the connections that requests use, and takes a write. A
 * standby, a read-only database and a full disk do not.
 */
export const checkWrites = async (database: Database): Promise<void> => {
  const written = database.transaction(async (sql) => {
    for (const step of [ON_THIS_SERVER, SMALL_MEMORY, NEEDS_DISK, MAY_WRITE]) sql.enqueue(step);
    await sql.execute(WRITES);
  });
  await Promise.all([written, database.pipeline.execute(ANSWERS)]);
};
