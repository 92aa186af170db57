import type { FeedSignal } from '../../../domain/ports/webhooks/feed-signal.ts';
import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import type { ApiChannel } from './protocol.ts';

/** Counts in the primary process. While that does not answer, this process counts by itself, from zero. */
export const countingIn = (channel: Pick<ApiChannel, 'ask'>, alone: RateLimiter): RateLimiter => ({
  consume: async (bucket, key) => (await channel.ask('count', [bucket, key])) ?? alone.consume(bucket, key),
});

/**
 * The requests of an installation that wait are counted in the primary process, and in this one as
 * before. While the primary does not answer, the count of this process decides.
 */
export const waitingTogether = (feedSignal: FeedSignal, channel: Pick<ApiChannel, 'ask' | 'tell'>): FeedSignal => ({
  ...feedSignal,
  watch: async (watcher, seconds, signal) => {
    const { installationId } = watcher;
    if (installationId === null) return feedSignal.watch(watcher, seconds, signal);
    const place = ['wait', installationId] as const;
    if ((await channel.ask('place', place)) === false) return null;
    const watch = await feedSignal.watch(watcher, seconds, signal).catch((error: unknown) => {
      channel.tell({ kind: 'left', place });
      throw error;
    });
    if (watch === null) channel.tell({ kind: 'left', place });
    return (
      watch && {
        changed: () => watch.changed(),
        end: () => {
          watch.end();
          channel.tell({ kind: 'left', place });
        },
      }
    );
  },
});
