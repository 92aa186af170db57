import { findScope } from '../../admin/find.ts';
import { watchLive } from '../../admin/live.ts';
import { adminCommand } from '../../command.ts';
import { APP_FLAG, STORE_FLAG, switchFlag } from '../../flags.ts';
import { timeOfDay } from '../../output/time.ts';

const COLOURS = { delivered: 'green', retry: 'yellow', failed: 'red' } as const;

export const tailDeliveries = adminCommand({
  docs: {
    brief: 'Watch delivery attempts as they happen',
    about: 'Starts now and runs until Ctrl-C.',
    examples: ['tenon deliveries tail --failed'],
  },
  flags: { store: STORE_FLAG, app: APP_FLAG, failed: switchFlag('Only failed attempts') },
  run: async ({ api, print, context }, { failed, ...scope }) => {
    const { storeId, installationId } = await findScope(api, scope);
    for await (const frame of watchLive(api, storeId, { signal: context.interrupted(), say: print.say })) {
      if (frame.kind !== 'attempt' || (failed === true && frame.outcome === 'delivered')) continue;
      if (installationId !== undefined && frame.installationId !== installationId) continue;
      print.line(frame, [
        timeOfDay(frame.at),
        { text: frame.outcome.padEnd(9), style: COLOURS[frame.outcome] },
        frame.status ?? frame.error,
        `${String(frame.durationMs)} ms`,
        frame.eventType,
        frame.deliveryId,
      ]);
    }
  },
});
