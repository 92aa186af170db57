import { MAX_ALL_DRY_RUNS, MOST_AT_ONCE, type WorkShare } from '../../http/work-share.ts';
import { Places } from './places.ts';
import type { ApiChannel } from './protocol.ts';

const onceAborted = (signal: AbortSignal, act: () => void): void => {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
};

/** Counts in this process. */
export const workShare = (): WorkShare => {
  const places = new Places();
  const take = (until: AbortSignal, key: string, most: number): boolean => {
    const isTaken = places.take(until, key, most);
    if (isTaken) onceAborted(until, () => places.give(until, key));
    return isTaken;
  };
  return {
    take: (work, of, until) => {
      const hasOwn = take(until, `${work} ${of}`, MOST_AT_ONCE[work]);
      return Promise.resolve(hasOwn && (work !== 'dryRun' || take(until, work, MAX_ALL_DRY_RUNS)));
    },
  };
};

/** Counts in the primary process, and in this one as before. While the primary does not answer, the count of this one decides. */
export const sharingTogether = (channel: Pick<ApiChannel, 'ask' | 'tell'>, alone: WorkShare): WorkShare => ({
  take: async (work, of, until) => {
    if ((await channel.ask('place', [work, of])) === false) return false;
    onceAborted(until, () => channel.tell({ kind: 'left', place: [work, of] }));
    return alone.take(work, of, until);
  },
});
