import type { Ports } from '../../domain/ports/index.ts';
import type { WatchedSubscription } from '../../domain/ports/subscription-repository.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** Every subscription of the store with its health, or those of one app. */
export const watchSubscriptions =
  ({ subscriptions }: Pick<Ports, 'subscriptions'>) =>
  async (storeId: string, installationId?: string): Promise<Result<readonly WatchedSubscription[], 'not_found'>> => {
    const found = await subscriptions.watch(storeId, installationId);
    return found ? ok(found) : notFound('Store');
  };
