import type { FeedPage, Store } from '../../../http/answers.ts';
import { pause, withDeadline } from '../../../startup/deadline.ts';
import { ApiFailure, type AdminApi } from '../../admin/admin-api.ts';
import { isPassing } from '../../admin/live.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { parseTime } from '../../flags.ts';
import { type ListenState, newState, readState, writeState } from './state.ts';

interface FeedOptions {
  readonly storeId: string;
  readonly types: readonly string[];
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

const WAIT_SECONDS = 25;
/** A server that has gone without a word does not answer for longer than this. */
const ANSWER_MS = (WAIT_SECONDS + 15) * 1_000;
const PAUSE_MS = 1_000;

const EXPIRED =
  'The server no longer keeps the events after the last one. Start again with --from start for the oldest kept event, or with --from latest for new events only.';

const CHANGED =
  'The server has lost events that you received, in a failover or a restore. Continuing with the event after the last one that it has.';

/**
 * Place to continue from after the server has lost events; null after an outage. Throws what
 * nothing but the person can change.
 */
const newPlace = (error: unknown): string | null => {
  if (error instanceof ApiFailure && error.code === 'cursor_expired') {
    if (error.continueWith === null) throw new CommandFailure(EXPIRED, EXIT.refused);
    return error.continueWith;
  }
  if (!isPassing(error)) throw error;
  return null;
};

/**
 * The feed of a store from a place on, an event at a time, since a place belongs to each. Reads on
 * after a restart of the server, until the signal. Throws a CommandFailure that nothing but the person
 * can change.
 */
export const createFeed = (api: AdminApi, { storeId, types, signal, say }: FeedOptions) => {
  let isLost = false;
  const isEnded = (): boolean => signal.aborted;
  const rest = () => pause(PAUSE_MS, { signal });

  const read = async ({ cursor, since }: Pick<ListenState, 'cursor' | 'since'>): Promise<FeedPage> => {
    const query = { after: cursor ?? undefined, since: since ?? undefined, types, take: 1, wait: WAIT_SECONDS };
    return withDeadline(ANSWER_MS, signal, (until) => api.get<FeedPage>(`/stores/${storeId}/events`, query, until));
  };

  /** The next page, with an event at most. Null when the signal has ended it. */
  return async (place: Pick<ListenState, 'cursor' | 'since'>): Promise<FeedPage | null> => {
    while (!isEnded()) {
      const startedAt = performance.now();
      try {
        const page = await read(place);
        if (isLost) say('Connected to the server again.');
        isLost = false;
        // A server that is about to stop does not wait, nor does an older one.
        if (page.items.length === 0 && !page.more && performance.now() - startedAt < PAUSE_MS) await rest();
        return page;
      } catch (error) {
        if (isEnded()) return null;
        const from = newPlace(error);
        if (from !== null) {
          say(CHANGED);
          return { items: [], next: from, more: true };
        }
        if (!isLost) say('The server does not respond. Retrying every second.');
        isLost = true;
        await rest();
      }
    }
    return null;
  };
};

type Place = Pick<ListenState, 'cursor' | 'since'>;

/** The place that `--from` names: `start`, `latest`, a time back such as `1h`, or a cursor. */
const placeOf = async (from: string, api: AdminApi, { id }: Store): Promise<Place> => {
  if (from === 'start') return { cursor: null, since: null };
  if (/^\d{1,6}[smhdw]$/.test(from)) return { cursor: null, since: parseTime(from) };
  const { next } = await api.get<FeedPage>(`/stores/${id}/events`, { after: from, take: 1 });
  return { cursor: from === 'latest' ? next : from, since: null };
};

interface Beginning {
  readonly state: ListenState;
  readonly words: string;
}

/** The state that a start begins with: the kept one, or a new one, or with the place of `--from`. It is on the disk. */
export const beginFrom = async (path: string, from: string | undefined, api: AdminApi, store: Store): Promise<Beginning> => {
  const kept = readState(path);
  if (kept && from === undefined) return { state: kept, words: 'Continuing after the last event that was answered with 2xx.' };
  const state = { ...(kept ?? newState()), ...(await placeOf(from ?? 'latest', api, store)) };
  writeState(path, state);
  return { state, words: from === undefined ? 'Beginning with new events.' : `Beginning from ${from}.` };
};
