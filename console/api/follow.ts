/** Between two reads, unless the list takes longer to have what the stream tells. */
const EVERY_MS = 1_000;
/** Between two reads when more comes than a reader can follow. */
const TORRENT_MS = 3_000;

export interface Follower {
  /** Something happened: reads now or after the pause, and a last time when nothing more happens. */
  readonly want: () => void;
  readonly once: () => void;
  readonly stop: () => void;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Reads a list while things happen: one read at a time, with a pause between two, and none while the
 * page is hidden. What a stream reports can take a moment to be in the list, so the last read comes
 * after a pause in which nothing happened. `read` says whether it found more than can be followed.
 */
export const follow = (read: () => Promise<boolean>, everyMs = EVERY_MS): Follower => {
  let isWanted = false;
  let isRunning = false;
  let isStopped = false;
  const isSeen = (): boolean => !isStopped && document.visibilityState === 'visible';
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let isLast = false; isSeen() && !isLast;) {
      isLast = !isWanted;
      isWanted = false;
      const isTorrent = await read();
      await pause(isTorrent ? TORRENT_MS : everyMs);
      isLast &&= !isWanted;
    }
    isRunning = false;
  };
  return {
    want: () => {
      isWanted = true;
      void run();
    },
    once: () => {
      if (isRunning) isWanted = true;
      void run();
    },
    stop: () => {
      isStopped = true;
    },
  };
};
