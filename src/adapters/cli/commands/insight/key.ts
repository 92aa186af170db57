import type { KeyLife } from '../../../http/answers.ts';
import { findApp } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { APP_FLAG, STORE_FLAG } from '../../flags.ts';

const { optional: _, ...app } = APP_FLAG;

export const getKey = adminCommand({
  docs: {
    brief: 'Show the life of an idempotency key',
    about:
      'Shows whether the request of the key runs, has ended or can run again, what is remembered of its response, and how often it was repeated. ' +
      'tenon search finds the app of a key.',
    examples: ['tenon keys get import-2026-11-24 --app "Stock sync"'],
  },
  flags: { store: STORE_FLAG, app },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'key', brief: 'The Idempotency-Key of the request' }] },
  run: async ({ api, print }, { store, app: named }, key) => {
    const { id } = await findApp(api, named, store);
    const life = await api.get<KeyLife>(`/apps/${id}/idempotency-keys/${encodeURIComponent(key)}`);
    print.one(life, { ...life, eventIds: life.eventIds.join(' ') });
  },
});
