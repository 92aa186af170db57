import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState } from 'react';

import type { LiveState } from './live.ts';
import { rereadAll, useFollowing } from './reread.ts';
import type { LiveFrame } from './types.ts';

/** More rows than these at once are a torrent: nothing is highlighted. */
const MOST_MARKED = 10;

interface TailOptions {
  readonly storeId: string;
  readonly isOn: boolean;
  readonly kinds: readonly LiveFrame['kind'][];
  /** Key of the list on the page: its data has `items` with an `id`. */
  readonly listKey: QueryKey;
  /** Beginnings of the keys that are read again with the list. */
  readonly alsoKeys?: readonly QueryKey[];
}

interface Tail {
  readonly state: LiveState;
  /** The ids of the rows that the last read brought. Empty when there were too many to see. */
  readonly arrived: ReadonlySet<string>;
}

interface Listed {
  readonly items: readonly { readonly id: string }[];
}

/** Keeps a list up to date while things of these kinds happen in the store. */
export const useTail = ({ storeId, isOn, kinds, listKey, alsoKeys = [] }: TailOptions): Tail => {
  const queries = useQueryClient();
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const idsNow = (): readonly string[] => queries.getQueryData<Listed>(listKey)?.items.map(({ id }) => id) ?? [];
  const read = async (): Promise<boolean> => {
    const before = new Set(idsNow());
    await rereadAll(queries, [listKey, ...alsoKeys]);
    const fresh = idsNow().filter((id) => !before.has(id));
    const isTorrent = fresh.length > MOST_MARKED;
    if (fresh.length > 0) setArrived(new Set(isTorrent || before.size === 0 ? [] : fresh));
    return isTorrent;
  };
  const state = useFollowing({ storeId, isOn, concerns: ({ kind }) => kinds.includes(kind), read });
  return { state, arrived };
};
