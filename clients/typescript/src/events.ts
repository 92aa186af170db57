import type { CallOptions } from './call.ts';
import type { AnyEvent, TenonEvent } from './event.ts';
import { createProgress } from './progress.ts';
import { Resource, TAKE } from './resource.ts';
import { TenonError } from './tenon-error.ts';

const PATH = '/apps/events';

/** A page of the feed. */
export interface EventPage {
  readonly items: readonly TenonEvent[];
  /** The `after` of the next page. Always there; it also passes what you may not see. */
  readonly next: string;
  /** True when the next page can be read at once. */
  readonly more: boolean;
}

/** Where the feed is read, and what of it. */
export interface FeedOptions extends CallOptions {
  /** The cursor to continue from; `latest` for what comes from now on. By default the oldest event that is kept. */
  readonly after?: string | null | undefined;
  /** Only these types; `product.*` is every type of products. By default all that your scopes allow. */
  readonly types?: readonly string[] | undefined;
  /** Seconds to wait for an event where there is none: 0 to 25. */
  readonly wait?: number | undefined;
}

/** How the feed is followed. */
export interface FollowOptions extends FeedOptions {
  /** Seconds that a request waits for an event: 20 by default. With 0, the walk ends when it has caught up. */
  readonly wait?: number | undefined;
  /** Called with the cursor to keep once you have taken all events before it. */
  readonly save?: ((cursor: string) => unknown) | undefined;
  /**
   * Called when the feed does not continue from your cursor; the walk then continues from `oldest`. With the
   * `body.reason` `not_kept`, events after your cursor are not kept any more. Without this
   * function, the walk then ends with a `TenonError` of the code `cursor_expired`. With
   * `history_changed`, the server has lost events that you took, in a failover or a restore, and you
   * miss none. With `key_unknown`, the server no longer has the key of your cursor, and `oldest` repeats every event
   * that is kept; without this function the walk ends as well. In each case, read what you mirror again.
   */
  readonly onExpired?: ((error: TenonError) => unknown) | undefined;
}

/** Where the feed continues when it does not from the cursor; undefined for any other error. */
const oldestOf = (error: unknown, isHandled: boolean): string | undefined =>
  // Where the server has lost events that the app took, the app misses nothing from `oldest` on.
  error instanceof TenonError && (isHandled || error.body['reason'] === 'history_changed')
    ? (error.body['oldest'] as string | undefined)
    : undefined;

/** Takes the pages of a walk. Where there was nothing to read, its cursor may stay. */
const createFeedProgress = (first: string | undefined): ((page: EventPage) => void) => {
  let passes = createProgress(PATH, first);
  return ({ items, next, more }) => {
    if (more || items.length > 0) passes(next);
    else passes = createProgress(PATH, undefined);
  };
};

/** The events of the store that the app may see: each once, in order. */
export class Events extends Resource {
  /**
   * Reads a page of the feed, of at most 250 events.
   *
   * @example
   * const { items, next, more } = await tenon.events.page({ after: cursor, types: ['product.*'] });
   */
  page({ after, types, wait = 0, ...options }: FeedOptions = {}): Promise<EventPage> {
    const query = { after, types, wait, take: TAKE };
    return this.read('GET', [PATH], { ...options, query, patience: wait * 1_000 });
  }

  /**
   * An event with all its data, also where its webhook has the `id` alone.
   *
   * @example
   * const event = await tenon.events.get(id);
   */
  get(id: string, options?: CallOptions): Promise<TenonEvent | AnyEvent> {
    return this.read('GET', [PATH, id], options);
  }

  /**
   * Each event after the cursor, and those that come, until you leave the loop or abort the signal.
   * Keep the cursor that `save` gets: after a restart, the walk repeats at most the events of one
   * page, whose ids are the same. With the `once` of a receiver, none is handled twice.
   *
   * @example
   * for await (const event of tenon.events.follow({ after: await load(), save })) await hooks.handle(event);
   */
  async *follow({ save, onExpired, wait = 20, ...options }: FollowOptions = {}): AsyncGenerator<TenonEvent, void> {
    let { after } = options;
    const passes = createFeedProgress(after ?? undefined);
    for (;;) {
      let page: EventPage;
      try {
        page = await this.page({ ...options, after, wait });
      } catch (error) {
        const oldest = oldestOf(error, onExpired !== undefined);
        if (oldest === undefined) throw error;
        await onExpired?.(error as TenonError);
        page = { items: [], next: oldest, more: true };
      }
      yield* page.items;
      if (page.next !== after) await save?.(page.next);
      after = page.next;
      passes(page);
      if (wait === 0 && !page.more) return;
    }
  }
}
