import { BEAT_SECONDS, liveProcesses, type SeenProcess } from '../../../domain/insight/processes.ts';
import type { Processes } from '../../../domain/ports/insight/processes.ts';
import { plural } from '../../../domain/values/plural.ts';
import { StartFailure } from '../../startup/start-failure.ts';
import { pause as sleep } from '../../startup/deadline.ts';

const LOOK_MS = 500;
/** A process changes its key at its next heartbeat, and says so with it. */
const LOOKS = (3 * BEAT_SECONDS * 1000) / LOOK_MS;

const listed = (processes: readonly SeenProcess[]): string =>
  processes.map(({ name, role, secondsUnseen }) => `${name} (${role}, seen ${secondsUnseen.toFixed(0)} s ago)`).join(', ');

/**
 * Resolves once every process that runs seals with this key. Throws a StartFailure that names those that do not have it
 * first, or that continue with another one.
 */
export const requireSealing = async (
  { list }: Pick<Processes, 'list'>,
  kid: string,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<void> => {
  for (let look = 0; ; look += 1) {
    const live = liveProcesses((await list()).seen);
    const without = live.filter(({ keys }) => keys[0] !== kid);
    if (without.length > 0) {
      throw new StartFailure(
        `${plural(without.length, 'process that runs does', 'processes that run do')} not have ${kid} first in SECRET_KEYS: ${listed(without)}. ` +
          'Nothing was changed. Restart each with it, and run this command again. A process that was killed is forgotten after a minute.',
      );
    }
    const behind = live.filter(({ sealing }) => sealing !== kid);
    if (behind.length === 0) return;
    if (look >= LOOKS)
      throw new StartFailure(
        `These processes still seal with another key: ${listed(behind)}. Nothing was changed. Run this command again.`,
      );
    await pause(LOOK_MS);
  }
};
