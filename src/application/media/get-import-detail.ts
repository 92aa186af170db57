import type { ImportDetail } from '../../domain/media/import-summary.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** An image import of any app, as the merchant sees it. */
export const getImportDetail =
  ({ mediaImportLog }: Pick<Ports, 'mediaImportLog'>) =>
  async (id: string): Promise<Result<ImportDetail, 'not_found'>> => {
    const found = await mediaImportLog.get(id);
    return found ? ok(found) : notFound('Media import');
  };
