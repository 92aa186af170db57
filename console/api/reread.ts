import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';

import { follow, type Follower } from './follow.ts';
import { useLive, type LiveState } from './live.ts';
import type { LiveFrame } from './types.ts';

/** Reads again what begins with these keys. A request that is under way is waited for: it may have read before what the stream has told. */
export const rereadAll = async (queries: QueryClient, keys: readonly QueryKey[]): Promise<void> => {
  const readAll = () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }, { cancelRefetch: false })));
  const wasUnderWay = keys.some((queryKey) => queries.isFetching({ queryKey }) > 0);
  await readAll();
  if (wasUnderWay) await readAll();
};

interface Following {
  readonly storeId: string;
  readonly isOn?: boolean;
  /** True when the page shows the subject of the frame. */
  readonly concerns: (frame: LiveFrame) => boolean;
  /** Says whether it found more than can be followed. */
  readonly read: () => Promise<boolean>;
  /** Milliseconds between two reads. */
  readonly everyMs?: number;
}

/** Reads while things happen in the store that concern the page, and when the stream may have missed some. */
export const useFollowing = ({ storeId, isOn = true, concerns, read, everyMs }: Following): LiveState => {
  const follower = useRef<Follower | null>(null);
  const readNow = useEffectEvent(read);
  useEffect(() => {
    if (!isOn) return undefined;
    const following = follow(() => readNow(), everyMs);
    follower.current = following;
    return () => following.stop();
  }, [isOn, everyMs]);
  const state = useLive(
    storeId,
    (frames) => {
      if (frames.some((frame) => frame.kind === 'dropped' || concerns(frame))) follower.current?.want();
    },
    isOn,
  );
  useEffect(() => {
    // Frames from before the stream was open are missing.
    if (isOn && state === 'open') follower.current?.once();
  }, [state, isOn]);
  return state;
};

interface Reread extends Omit<Following, 'read'> {
  /** The beginnings of the keys of what is read. */
  readonly keys: readonly QueryKey[];
}

/** Keeps what the page has read up to date. */
export const useReread = ({ keys, ...following }: Reread): LiveState => {
  const queries = useQueryClient();
  const read = async (): Promise<boolean> => {
    await rereadAll(queries, keys);
    return false;
  };
  return useFollowing({ ...following, read });
};
