import type { Caller } from '../../domain/identity/caller.ts';
import { importView } from '../../domain/media/media-import.ts';
import type { ImportView } from '../../domain/media/media-import.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** The state of the import. An app sees only its own imports. */
export const getMediaImport =
  ({ mediaImports }: Pick<Ports, 'mediaImports'>) =>
  async ({ installationId }: Caller, id: string): Promise<Result<ImportView, 'not_found'>> => {
    const found = await mediaImports.get(installationId, id);
    return found ? ok(importView(found)) : notFound('Media import');
  };
