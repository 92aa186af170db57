import { findStore } from '../../admin/find.ts';
import { watchLive } from '../../admin/live.ts';
import { adminCommand } from '../../command.ts';
import { timeOfDay } from '../../output/time.ts';
import { EVENT_FILTER_FLAGS } from './filter.ts';

const matches = (types: readonly string[] | undefined, type: string): boolean =>
  types === undefined ||
  types.some((wanted) => wanted === type || (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1))));

export const tailEvents = adminCommand({
  docs: {
    brief: 'Watch events as they happen',
    about: 'Starts now and runs until Ctrl-C. Events may be skipped under load; use tenon listen to get every event.',
    examples: ['tenon events tail --types product.*'],
  },
  flags: EVENT_FILTER_FLAGS,
  run: async ({ api, print, context }, { store, types, resource }) => {
    const { id } = await findStore(api, store);
    for await (const frame of watchLive(api, id, { signal: context.interrupted(), say: print.say })) {
      if (frame.kind !== 'event' || !matches(types, frame.type)) continue;
      if (resource !== undefined && frame.resourceId !== resource) continue;
      print.line(frame, [timeOfDay(frame.at), frame.type, frame.resourceId, frame.id]);
    }
  },
});
