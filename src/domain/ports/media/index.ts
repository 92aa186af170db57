import type { ImportQueue } from './import-queue.ts';
import type { MediaFileRepository } from './media-file-repository.ts';
import type { MediaImportLog } from './media-import-log.ts';
import type { MediaImportRepository } from './media-import-repository.ts';
import type { MediaSource } from './media-source.ts';
import type { MediaStorage } from './media-storage.ts';

export interface MediaPorts {
  readonly importQueue: ImportQueue;
  readonly mediaFiles: MediaFileRepository;
  readonly mediaImportLog: MediaImportLog;
  readonly mediaImports: MediaImportRepository;
  readonly mediaSource: MediaSource;
  readonly mediaStorage: MediaStorage;
}
