import type { UninstallPreview } from '../../domain/ports/installation-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** What an uninstall would end now. Nothing changes. */
export const previewUninstall =
  ({ installations }: Pick<Ports, 'installations'>) =>
  async (id: string): Promise<Result<UninstallPreview, 'not_found'>> => {
    const preview = await installations.previewUninstall(id);
    return preview ? ok(preview) : notFound('Installation');
  };
