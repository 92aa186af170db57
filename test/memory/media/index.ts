import type { Cause } from '../../../src/domain/cause.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { Locks, TransactionLocks } from '../locks.ts';
import type { MemoryState } from '../state.ts';
import { mediaFileRepository, mediaFileUse } from './media-file-repository.ts';
import { mediaImportLog } from './media-import-log.ts';
import { mediaImportRepository, mediaImportWrites } from './media-import-repository.ts';

export const mediaPorts = (state: MemoryState, clock: Clock, locks: Locks) => ({
  mediaFiles: mediaFileRepository(state, clock, locks),
  mediaImportLog: mediaImportLog(state, clock),
  mediaImports: mediaImportRepository(state, clock),
});

export const mediaWrites = (state: MemoryState, clock: Clock, own: TransactionLocks, cause: Cause) => ({
  mediaFiles: mediaFileUse(state, own),
  mediaImports: mediaImportWrites(state, clock, own, cause),
});
