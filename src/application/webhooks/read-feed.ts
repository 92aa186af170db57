import type { Caller } from '../../domain/identity/caller.ts';
import { covers } from '../../domain/identity/scope.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, refuse, type Result } from '../../domain/result.ts';
import { TOO_MANY_WAITING, typesForApp } from '../../domain/webhooks/feed.ts';
import type { FeedPlace } from '../../domain/webhooks/feed-place.ts';
import type { Include } from '../../domain/webhooks/included.ts';
import { openCursor } from './feed-cursors.ts';
import { bringProducts } from './bring-products.ts';
import { feedPage, type FeedSlice } from './feed-page.ts';
import { isEmptyPage, waitForPage, type AwaitedPage } from './wait-for-page.ts';

export interface FeedRequest {
  readonly after?: string | undefined;
  readonly take: number;
  readonly types: readonly string[];
  /** Seconds to wait for an event where there is none. */
  readonly wait: number;
  /** Resources that each event brings. Null is nothing. */
  readonly include: readonly Include[] | null;
}

export interface Waiting {
  readonly left: AbortSignal;
  /** The caller with its present scopes. Null when its token is not valid any more. */
  renewCaller(): Promise<Caller | null>;
}

const NO_RIGHT = refuse('invalid', 'include: product needs read_products.');

type ReadPorts = Pick<Ports, 'eventFeed' | 'feedSignal' | 'secrets' | 'productReader' | 'turns'>;

type Page = AwaitedPage<'invalid' | 'cursor_expired' | 'unauthenticated'>;

/**
 * The events that an app may see, in the order of the feed, by its present scopes. Where there is
 * none, the request waits for one. While it waits it has no database connection, and its caller is
 * checked again at each change.
 */
export const readFeed = ({ eventFeed, feedSignal, secrets, productReader, turns }: ReadPorts) => {
  const readPage = async (caller: Caller, request: FeedRequest, after: FeedPlace | 'latest' | null): Promise<Page> => {
    const types = typesForApp(request.types, caller.scopes);
    if (!types.ok) return types;
    if (request.include !== null && !covers(caller.scopes, 'read_products')) return NO_RIGHT;
    const { storeId, installationId } = caller;
    const reader = { storeId, installationId, types: types.value };
    const page = await feedPage({ eventFeed, secrets }, reader, { after, take: request.take });
    // The caller was admitted, so its installation is gone since then.
    if (page === null) return refuse('unauthenticated', '');
    return page.ok ? ok(await bringProducts({ productReader, turns }, storeId, page.value, request.include)) : page;
  };
  return async (
    caller: Caller,
    request: FeedRequest,
    waiting: Waiting,
  ): Promise<Result<FeedSlice, 'invalid' | 'cursor_expired' | 'unauthenticated' | 'rate_limited'>> => {
    const after = openCursor(secrets, caller.storeId, request.after);
    if (!after.ok) return after;
    const page = await readPage(caller, request, after.value);
    if (request.wait === 0 || after.value === 'latest' || !isEmptyPage(page)) return page;
    const read = async (place: FeedPlace, isWoken: boolean): Promise<Page> => {
      const present = isWoken ? await waiting.renewCaller() : caller;
      return present === null ? refuse('unauthenticated', '') : readPage(present, request, place);
    };
    const wait = { watcher: caller, seconds: request.wait, left: waiting.left, read };
    return (await waitForPage(feedSignal, page.value.place, wait)) ?? TOO_MANY_WAITING;
  };
};
