import type { Cause } from '../../../domain/cause.ts';
import type { Database } from '../connection/database.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { mediaFileRepository, mediaFileUse } from './media-file-repository.ts';
import { mediaImportLog } from './media-import-log.ts';
import { mediaImportRepository, mediaImportWrites } from './media-import-repository.ts';

export const mediaPorts = (database: Database) => ({
  mediaFiles: mediaFileRepository(database),
  mediaImportLog: mediaImportLog(database),
  mediaImports: mediaImportRepository(database),
});

export const mediaWrites = (sql: TransactionSql, cause: Cause) => ({
  mediaFiles: mediaFileUse(sql),
  mediaImports: mediaImportWrites(sql, cause),
});
