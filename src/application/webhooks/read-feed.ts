import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { refuse } from '../../domain/result.ts';
import type { Refusal, Result } from '../../domain/result.ts';
import { parseAfter, TOO_MANY_WAITING, typesForApp } from '../../domain/webhooks/feed.ts';
import { feedPage } from './feed-page.ts';
import type { FeedSlice } from './feed-page.ts';

export interface FeedRequest {
  readonly after?: string | undefined;
  readonly take: number;
  readonly types: readonly string[];
  /** Seconds to wait for an event where there is none. */
  readonly wait: number;
}

/** The request that waits. */
export interface Waiting {
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
  /** The caller with its present scopes. Null when its token is not valid any more. */
  renewCaller(): Promise<Caller | null>;
}

type Page = Result<FeedSlice & { readonly position: number }, 'invalid' | 'cursor_expired' | 'unauthenticated'>;

/**
 * The events that an app may see, in the order of the feed, by its present scopes. Where there is
 * none, the request waits for one. While it waits it has no database connection, and its caller is
 * checked again at each change.
 */
export const readFeed = ({ eventFeed, feedSignal }: Pick<Ports, 'eventFeed' | 'feedSignal'>) => {
  const pageOf = async (caller: Caller, request: FeedRequest, after: number | 'latest' | null): Promise<Page> => {
    const types = typesForApp(request.types, caller.scopes);
    if (!types.ok) return types;
    const { storeId, installationId } = caller;
    const page = await feedPage(eventFeed, { storeId, installationId, types: types.value }, { after, take: request.take });
    // The caller was admitted, so its installation is gone since then.
    return page ?? refuse('unauthenticated', '');
  };
  const isEmpty = (page: Page): page is Extract<Page, { ok: true }> =>
    page.ok && page.value.bodies.length === 0 && !page.value.more;

  const waitForPage = async (
    caller: Caller,
    request: FeedRequest,
    position: number,
    waiting: Waiting,
  ): Promise<Page | Refusal<'rate_limited'>> => {
    const watch = await feedSignal.watch(caller, request.wait, waiting.left);
    if (watch === null) return TOO_MANY_WAITING;
    try {
      // Read again: an event may have come before the watch.
      let page = await pageOf(caller, request, position);
      while (isEmpty(page) && (await watch.changed())) {
        const present = await waiting.renewCaller();
        if (present === null) return refuse('unauthenticated', '');
        page = await pageOf(present, request, page.value.position);
      }
      return page;
    } finally {
      watch.end();
    }
  };

  return async (
    caller: Caller,
    request: FeedRequest,
    waiting: Waiting,
  ): Promise<Result<FeedSlice, 'invalid' | 'cursor_expired' | 'unauthenticated' | 'rate_limited'>> => {
    const after = parseAfter(caller.storeId, request.after);
    if (!after.ok) return after;
    const page = await pageOf(caller, request, after.value);
    if (request.wait === 0 || after.value === 'latest' || !isEmpty(page)) return page;
    return waitForPage(caller, request, page.value.position, waiting);
  };
};
