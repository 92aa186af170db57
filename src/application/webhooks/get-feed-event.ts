import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { visibleTypes } from '../../domain/webhooks/feed.ts';

/** An event that the app may see: its body with all its data, as JSON. */
export const getFeedEvent =
  ({ eventFeed }: Pick<Ports, 'eventFeed'>) =>
  async ({ storeId, installationId, scopes }: Caller, id: string): Promise<Result<string, 'not_found'>> => {
    const event = await eventFeed.get({ storeId, installationId, types: visibleTypes(scopes) }, id);
    return event ? ok(event.body) : notFound('Event');
  };
