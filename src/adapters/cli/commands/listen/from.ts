import type { FeedPage, Store } from '../../../http/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { parseTime } from '../../flags.ts';
import { newState, readState, writeState, type ListenState } from './state.ts';

type Place = Pick<ListenState, 'cursor' | 'since'>;

/** The place that `--from` names: `start`, `latest`, a time back such as `1h`, or a cursor. */
const placeOf = async (from: string, api: AdminApi, { id }: Store): Promise<Place> => {
  if (from === 'start') return { cursor: null, since: null };
  if (/^\d{1,6}[smhdw]$/.test(from)) return { cursor: null, since: parseTime(from) };
  const { next } = await api.get<FeedPage>(`/stores/${id}/events`, { after: from, take: 1 });
  return { cursor: from === 'latest' ? next : from, since: null };
};

export interface Beginning {
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
