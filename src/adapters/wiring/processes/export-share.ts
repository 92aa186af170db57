import { MAX_EXPORTS, type ExportShare } from '../../http/export-share.ts';
import { Places } from './places.ts';
import type { ApiLine } from './protocol.ts';

const onceAborted = (signal: AbortSignal, act: () => void): void => {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
};

/** Counts in this process. */
export const exportShare = (): ExportShare => {
  const places = new Places();
  return {
    take: (installationId, until) => {
      const isTaken = places.take(until, installationId, MAX_EXPORTS);
      if (isTaken) onceAborted(until, () => places.give(until, installationId));
      return Promise.resolve(isTaken);
    },
  };
};

/** Counts in the primary process, and in this one as before. While the primary does not answer, the count of this one decides. */
export const exportingTogether = (line: Pick<ApiLine, 'ask' | 'tell'>, alone: ExportShare): ExportShare => ({
  take: async (installationId, until) => {
    if ((await line.ask('place', ['export', installationId])) === false) return false;
    onceAborted(until, () => line.tell({ kind: 'left', place: ['export', installationId] }));
    return alone.take(installationId, until);
  },
});
