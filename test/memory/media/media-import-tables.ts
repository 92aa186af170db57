import type { ItemState, MediaImport } from '../../../src/domain/media/media-import.ts';
import type { NewImport } from '../../../src/domain/ports/media/media-import-repository.ts';
import { table, type MemoryState } from '../state.ts';

/** Times in milliseconds. */
export interface ImportRow extends Omit<MediaImport, 'items'> {
  readonly items: readonly (Omit<ItemState, 'retryAt'> &
    NewImport['items'][number] & { readonly tries: number; readonly asked: number; readonly retryAt: number | null })[];
  readonly traceparent: string | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

export const importsOf = (state: MemoryState): Map<string, ImportRow> => table<ImportRow>(state, 'media_imports');
