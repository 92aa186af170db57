import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Refusal, type Result } from '../../domain/result.ts';
import { TOO_MANY_MERCHANT_WAITING, typesForMerchant, type FeedOrder } from '../../domain/webhooks/feed.ts';
import type { FeedPlace } from '../../domain/webhooks/feed-place.ts';
import { openCursor, sealCursor } from './feed-cursors.ts';
import type { Include } from '../../domain/webhooks/included.ts';
import { bringProducts } from './bring-products.ts';
import { feedPage, type FeedSelection, type FeedSlice } from './feed-page.ts';
import { isEmptyPage, waitForPage, type AwaitedPage } from './wait-for-page.ts';

export interface EventQuery extends Omit<FeedSelection, 'after'> {
  readonly after?: string | undefined;
  readonly types: readonly string[];
  readonly order: FeedOrder;
  /** Seconds to wait for an event where there is none. Only in the order `oldest`. */
  readonly wait: number;
  /** Resources that each event brings. Null is nothing. */
  readonly include: readonly Include[] | null;
}

type Ended = 'unauthenticated' | 'forbidden' | 'not_found';
type Page = AwaitedPage<Ended | 'cursor_expired'>;
type Refused = Ended | 'invalid' | 'cursor_expired' | 'rate_limited';

export interface MerchantWaiting {
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
  /** Returns the reason why the caller may read no more; null while they may. Called again at each change. */
  refusal(): Promise<Refusal<Ended> | null>;
}

/**
 * The feed of a store as the merchant sees it: every event, from the oldest on or from the newest
 * back.
 */
export const listEvents =
  ({
    eventFeed,
    feedSignal,
    secrets,
    productReader,
    turns,
  }: Pick<Ports, 'eventFeed' | 'feedSignal' | 'secrets' | 'productReader' | 'turns'>) =>
  async (
    storeId: string,
    { after: cursor, types: patterns, order, wait, include, ...selection }: EventQuery,
    waiting: MerchantWaiting,
  ): Promise<Result<FeedSlice, Refused>> => {
    const after = openCursor(secrets, storeId, cursor);
    if (!after.ok) return after;
    const bringing = <P extends FeedSlice>(page: P): Promise<P> =>
      bringProducts({ productReader, turns }, storeId, page, include);
    const types = typesForMerchant(patterns);
    if (!types.ok) return types;
    if (order === 'newest') {
      if (wait > 0) return refuse('invalid', 'wait is for order=oldest.');
      const before = after.value === 'latest' ? null : after.value;
      const page = await eventFeed.readNewest({ ...selection, storeId, types: types.value, before });
      if (!page) return notFound('Store');
      return ok(await bringing({ ...page, next: sealCursor(secrets, storeId, page.next) }));
    }
    const reader = { storeId, installationId: null, types: types.value };
    const read = async (place: FeedPlace | 'latest' | null): Promise<Page> => {
      const page = (await feedPage({ eventFeed, secrets }, reader, { ...selection, after: place })) ?? notFound('Store');
      return page.ok ? ok(await bringing(page.value)) : page;
    };
    const page = await read(after.value);
    const readAgain = async (place: FeedPlace, isWoken: boolean): Promise<Page> =>
      (isWoken ? await waiting.refusal() : null) ?? read(place);
    if (wait === 0 || after.value === 'latest' || !isEmptyPage(page)) return page;
    return (
      (await waitForPage(feedSignal, page.value.place, {
        watcher: reader,
        seconds: wait,
        left: waiting.left,
        read: readAgain,
      })) ?? TOO_MANY_MERCHANT_WAITING
    );
  };
