import type { LiveFrame } from '../../../http/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { framesOf, openLive } from '../../admin/live.ts';

type ImportFrame = Extract<LiveFrame, { kind: 'import' }>;

export interface LiveCounts {
  /** Latest progress; null when nothing is known. */
  latest(): ImportFrame | null;
  readonly ended: Promise<void>;
  close(): void;
}

/**
 * Follows the next import of products that begins in the store. The id of a request is a UUIDv7 and
 * comes with its answer, so until then the first import with a later id than this one's counts.
 * Without the live stream there are no counts, and the import is as good.
 */
export const followImport = async (api: AdminApi, storeId: string): Promise<LiveCounts> => {
  const closing = new AbortController();
  const close = (): void => {
    closing.abort();
  };
  let latest: ImportFrame | null = null;
  const response = await openLive(api, storeId, closing.signal).catch(() => null);
  const since = response?.headers.get('x-request-id') ?? '';
  const isOurs = (frame: LiveFrame): frame is ImportFrame =>
    frame.kind === 'import' && frame.of === 'products' && (latest ? frame.id === latest.id : frame.id > since);
  const follow = async (): Promise<void> => {
    if (response === null) return;
    for await (const frame of framesOf(response)) {
      if (!isOurs(frame)) continue;
      latest = frame;
      if (frame.status !== 'Running') return;
    }
  };
  return { latest: () => latest, ended: follow().catch(() => undefined), close };
};
