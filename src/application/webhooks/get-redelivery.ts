import type { Ports } from '../../domain/ports/index.ts';
import type { RedeliveryProgress } from '../../domain/ports/redelivery-repository.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** How far a redelivery by filter is. */
export const getRedelivery =
  ({ redeliveries }: Pick<Ports, 'redeliveries'>) =>
  async (id: string): Promise<Result<RedeliveryProgress & { readonly isFinished: boolean }, 'not_found'>> => {
    const progress = await redeliveries.get(id);
    return progress ? ok({ ...progress, isFinished: progress.finishedAt !== null }) : notFound('Redelivery');
  };
