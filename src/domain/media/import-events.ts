import type { NewEvent } from '../webhooks/event.ts';
import { hasEnded, importView, type MediaImport } from './media-import.ts';

export const importEvents = (ended: MediaImport): NewEvent[] => {
  if (!hasEnded(ended)) return [];
  const { importId, items, ...rest } = importView(ended);
  // No item waits when the import has ended.
  const states = items.map(({ retryAt: _, retryReason: __, ...item }) => item);
  return [
    {
      storeId: ended.storeId,
      type: ended.status === 'Failed' ? 'media.import_failed' : 'media.import_completed',
      resourceId: importId,
      origin: ended.installationId,
      data: { id: importId, ...rest, items: states },
    },
  ];
};
