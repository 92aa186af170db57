import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import type { Session } from '../../command.ts';
import { STORE_FLAG, textFlag } from '../../flags.ts';
import { TYPES_FLAG } from '../events/filter.ts';
import { beginFrom } from './from.ts';
import { listen } from './listen.ts';
import { lockState } from './lock.ts';
import { stateFile } from './state.ts';
import { givenSecret, parseTarget } from './target.ts';

interface Flags {
  readonly forwardTo: string;
  readonly store?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly cursorFile?: string | undefined;
}

export const listenCommand = adminCommand({
  docs: {
    brief: 'Forward the events of a store to a URL',
    about:
      'Reads the feed of the store and posts each event to the URL, signed as a webhook is, so that a receiver on your machine needs no public address. ' +
      'An event that is not answered with 2xx is sent again, after 1, 2, 5 and then every 10 seconds, and the others wait for it. ' +
      'The place in the feed is kept after each event: the next start continues there, whether the command or the server was stopped. ' +
      'The secret stays the same too; set TENON_SIGNING_SECRET for another. On a terminal, r sends the last event again, q ends.',
    examples: [
      'tenon listen --forward-to http://localhost:3000/webhooks',
      'tenon listen --forward-to http://localhost:3000/webhooks --types product.*,order.paid --from 1h',
    ],
  },
  flags: {
    forwardTo: { kind: 'parsed', parse: parseTarget, placeholder: 'url', brief: 'Where to post the events' },
    store: STORE_FLAG,
    types: TYPES_FLAG,
    from: textFlag('start, latest, a time back such as 1h, or a cursor [after the last event; at first: latest]', 'place'),
    cursorFile: textFlag('Keep the place and the secret in this file [in XDG_STATE_HOME]', 'file'),
  },
  run: async (session: Session, { forwardTo: target, types, from, ...flags }: Flags) => {
    const { api, print, context } = session;
    const { stdin, env } = context.process;
    const given = givenSecret(env);
    const store = await findStore(api, flags.store);
    const path = flags.cursorFile ?? stateFile(env, { server: api.url, storeId: store.id, target });
    const unlock = lockState(path);
    try {
      const { state, words } = await beginFrom(path, from, api, store);
      print.say(`Forwarding events of ${store.domain} to ${target}. ${words}`);
      print.say(given === undefined ? `Signing secret: ${state.secret}` : 'Signing with TENON_SIGNING_SECRET.');
      if (stdin.isTTY) print.say('Press r to send the last event again, q to end.');
      const listening = { store, target, types: types ?? [], secret: given ?? state.secret, path, state };
      await listen(session, listening);
      print.say('Stopped. The next start continues here.');
    } finally {
      unlock();
    }
  },
});
