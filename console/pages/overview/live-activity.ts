import { useRef, useState } from 'react';

import { useLive, type LiveState } from '../../api/live.ts';
import type { LiveFrame } from '../../api/types.ts';

export type Activity = Exclude<LiveFrame, { kind: 'dropped' }>;

const MOST = 20;
/** The strip is drawn this often at most. */
const EVERY_MS = 1_000;

export const keyOf = (frame: Activity): string =>
  frame.kind === 'attempt' ? `${frame.deliveryId} ${frame.number}` : frame.kind === 'refusal' ? frame.requestId : frame.id;

/** The newest first. Later progress of an import takes the place of earlier progress. */
const merged = (fresh: readonly Activity[], old: readonly Activity[]): readonly Activity[] => {
  const byKey = new Map<string, Activity>();
  for (const frame of [...fresh, ...old]) if (!byKey.has(keyOf(frame))) byKey.set(keyOf(frame), frame);
  return [...byKey.values()].slice(0, MOST);
};

/** The last things that happened in the store since the page was opened. */
export const useLiveActivity = (storeId: string): { readonly state: LiveState; readonly activity: readonly Activity[] } => {
  const [activity, setActivity] = useState<readonly Activity[]>([]);
  const waiting = useRef<readonly Activity[]>([]);
  const timer = useRef<number>(undefined);
  const state = useLive(storeId, (frames) => {
    const fresh = frames.filter((frame) => frame.kind !== 'dropped').reverse();
    waiting.current = merged(fresh.slice(0, MOST), waiting.current);
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      const taken = waiting.current;
      waiting.current = [];
      setActivity((old) => merged(taken, old));
    }, EVERY_MS);
  });
  return { state, activity };
};
