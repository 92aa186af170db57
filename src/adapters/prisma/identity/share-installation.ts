import type { InstallationRemoval } from '../../../domain/ports/identity/installation-repository.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { SHARE, SHARE_STORE } from './installation-statements.ts';

export const shareInstallation =
  (sql: TransactionSql): InstallationRemoval['share'] =>
  async (storeId, id) => {
    sql.enqueue(SHARE_STORE, { storeId });
    return (await sql.execute(SHARE, { storeId, id })) > 0;
  };
