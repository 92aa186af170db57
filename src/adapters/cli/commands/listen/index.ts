import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG, textFlag } from '../../flags.ts';
import { TYPES_FLAG } from '../events/list.ts';
import { beginFrom } from './feed.ts';
import { lockState, stateFile } from './state.ts';
import { givenSecret, parseTarget } from './target.ts';

export const listenCommand = adminCommand({
  docs: {
    brief: 'Forward the events of a store to a URL',
    about:
      'Reads the event feed of the store and posts each event to the URL, signed like a webhook, so that a receiver on your machine needs no public address. ' +
      'An event that does not get a 2xx response is retried after 1, 2, 5 and then every 10 seconds, and later events wait for it. ' +
      'The position in the feed is saved after each event, and the next start continues there. ' +
      'The secret stays the same too; set TENON_SIGNING_SECRET to use another. On a terminal, r sends the last event again and q quits.',
    examples: [
      'tenon listen --forward-to http://localhost:3000/webhooks',
      'tenon listen --forward-to http://localhost:3000/webhooks --types product.*,order.paid --from 1h',
    ],
  },
  flags: {
    forwardTo: { kind: 'parsed', parse: parseTarget, placeholder: 'url', brief: 'URL to post the events to' },
    store: STORE_FLAG,
    types: TYPES_FLAG,
    from: textFlag(
      'Where to start: start, latest, a time ago such as 1h, or a cursor [after the last event; first time: latest]',
      'place',
    ),
    cursorFile: textFlag('File for the position and the secret [in XDG_STATE_HOME]', 'file'),
  },
  run: async (session, { forwardTo: target, types, from, ...flags }) => {
    const { api, print, context } = session;
    const { stdin, env } = context.process;
    // With the client of HTTP, which takes longer to load than any other command runs.
    const { listen } = await import('./listen.ts');
    const given = givenSecret(env);
    const store = await findStore(api, flags.store);
    const path = flags.cursorFile ?? stateFile(env, { server: api.url, storeId: store.id, target });
    const unlock = lockState(path);
    try {
      const { state, words } = await beginFrom(path, from, api, store);
      print.say(`Forwarding events of ${store.domain} to ${target}. ${words}`);
      print.say(given === undefined ? `Signing secret: ${state.secret}` : 'Signing with TENON_SIGNING_SECRET.');
      if (stdin.isTTY) print.say('Press r to send the last event again, q to quit.');
      const listening = { store, target, types: types ?? [], secret: given ?? state.secret, path, state };
      await listen(session, listening);
      print.say('Stopped. The next start continues here.');
    } finally {
      unlock();
    }
  },
});
