import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { follow, type Follower } from './follow.ts';
import { useLive, type LiveState } from './live.ts';
import type { LiveFrame } from './types.ts';

/** More rows than these at once are a torrent: nothing is highlighted. */
const MOST_MARKED = 10;

interface TailOptions {
  readonly storeId: string;
  readonly isOn: boolean;
  readonly kinds: readonly LiveFrame['kind'][];
  /** Of the list on the page: its data has `items` with an `id`. */
  readonly listKey: QueryKey;
  /** What else is read again with the list, by the beginnings of its keys. */
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
  const follower = useRef<Follower | null>(null);
  const idsNow = (): readonly string[] => queries.getQueryData<Listed>(listKey)?.items.map(({ id }) => id) ?? [];
  const read = useEffectEvent(async (): Promise<boolean> => {
    const before = new Set(idsNow());
    const keys = [listKey, ...alsoKeys];
    const readAll = () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }, { cancelRefetch: false })));
    const wasUnderWay = keys.some((queryKey) => queries.isFetching({ queryKey }) > 0);
    // A request that is under way is waited for. It may have read before what the stream has told.
    await readAll();
    if (wasUnderWay) await readAll();
    const fresh = idsNow().filter((id) => !before.has(id));
    const isTorrent = fresh.length > MOST_MARKED;
    if (fresh.length > 0) setArrived(new Set(isTorrent || before.size === 0 ? [] : fresh));
    return isTorrent;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const following = follow(() => read());
    follower.current = following;
    return () => following.stop();
  }, [isOn]);
  const state = useLive(
    storeId,
    (frames) => {
      if (frames.some(({ kind }) => kind === 'dropped' || kinds.includes(kind))) follower.current?.want();
    },
    isOn,
  );
  useEffect(() => {
    // What happened before the stream was open is not in it.
    if (isOn && state === 'open') follower.current?.once();
  }, [state, isOn]);
  return { state, arrived };
};
