import type { Installation } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

export const getInstallation =
  ({ installations }: Pick<Ports, 'installations'>) =>
  async (id: string): Promise<Result<Installation, 'not_found'>> => {
    const installation = await installations.get(id);
    return installation ? ok(installation) : notFound('Installation');
  };
