import type { LastBackup, WrittenBackup } from '../../storage/archive.ts';
import { openDatabase } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const LAST_BACKUP = statement({
  text: `
    SELECT extract(epoch FROM statement_timestamp() - backed_up_at)::float8 AS "ageSeconds",
      backup_rows::float8 AS rows, backup_bytes::float8 AS bytes
    FROM schema_generation WHERE id = 1 AND backed_up_at IS NOT NULL`,
  row: { ageSeconds: 'float8', rows: 'float8', bytes: 'float8' },
});

const RECORD_BACKUP = statement({
  text: 'UPDATE schema_generation SET backed_up_at = statement_timestamp(), backup_rows = $rows, backup_bytes = $bytes WHERE id = 1',
  parameters: { rows: 'int8', bytes: 'int8' },
});

export const lastBackup = async (sql: Pick<Sql, 'rows'>): Promise<LastBackup | null> => {
  const [row] = await sql.rows(LAST_BACKUP);
  return row ?? null;
};

export const recordBackup = async (url: string, { rows, bytes }: WrittenBackup): Promise<void> => {
  const database = openDatabase({ url, name: 'tenon backup', connections: 1, beginsEpoch: false });
  try {
    await database.execute(RECORD_BACKUP, { rows, bytes });
  } finally {
    await database.close();
  }
};
