import { impactText } from '../../../../domain/insight/impact-text.ts';
import type { Incident } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { firstItems } from '../../admin/lists.ts';
import { adminCommand } from '../../command.ts';
import { LIMIT_FLAG, STORE_FLAG, switchFlag, WIDE_FLAG } from '../../flags.ts';

export const listIncidents = adminCommand({
  docs: {
    brief: 'List what is wrong now, in all stores or in one',
    about:
      'Lists open incidents of all stores and of the whole server, those that began last first: what it is, since when, what it affects and why. ' +
      'With --store, only those of one store. With --all, also those that ended in the last 90 days. The impact is the most that it was.',
    examples: ['tenon incidents', 'tenon incidents --store sunrise.localhost --all'],
  },
  flags: {
    store: STORE_FLAG,
    all: switchFlag('Also list incidents that have ended'),
    limit: LIMIT_FLAG,
    ...WIDE_FLAG,
  },
  run: async ({ api, print }, { store, all, limit }) => {
    const found = store === undefined ? null : await findStore(api, store);
    const path = found === null ? '/incidents' : `/stores/${found.id}/incidents`;
    const items = await firstItems<Incident>(api, path, { status: all === true ? undefined : 'open' }, limit);
    if (items.length === 0 && all !== true) {
      print.say(`No incident is open${found === null ? '' : ` in ${found.domain}`}.`);
      return;
    }
    print.list(items, [
      { name: 'incident', of: ({ title }) => title, kind: 'whole' },
      { name: 'of', of: ({ name }) => name, least: 28 },
      { name: 'began', of: ({ beganAt }) => beganAt, kind: 'time' },
      ...(all === true ? [{ name: 'ended', of: ({ endedAt }: Incident) => endedAt, kind: 'time' as const }] : []),
      { name: 'impact', of: ({ impact }) => impactText(impact), drop: 2 },
      { name: 'store', of: (one) => one.store, drop: 3 },
      { name: 'cause', of: ({ cause }) => cause, drop: 1 },
    ]);
  },
});
