import { parseUuid } from '../../../../domain/values/uuid.ts';
import type { StoreErasure } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_ARGUMENT, textFlag } from '../../flags.ts';
import { askFor } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';

export const deleteStore = adminCommand({
  docs: {
    brief: 'Erase a store and everything in it',
    about:
      'Permanently erases its catalogue, apps, events, deliveries, logs and media files. To confirm, type the domain of the store or give it with --confirm. ' +
      'Immediately, nothing gets in or out of the store, and its domain becomes available. Rows and files are erased in batches, which takes at least a minute. ' +
      'Repeat the command with the id of the store to see the progress.',
    examples: ['tenon store delete sunrise.localhost --confirm sunrise.localhost'],
  },
  flags: { confirm: textFlag('The domain of the store, to confirm', 'domain') },
  positional: { kind: 'tuple', parameters: [STORE_ARGUMENT] },
  run: async ({ api, print, context }, { confirm: given }, named) => {
    const known = given === undefined ? null : parseUuid(named);
    // A store that is being erased is not found any more, but by this request.
    const { id, domain } = known !== null && given !== undefined ? { id: known, domain: given } : await findStore(api, named);
    const question = `This erases the store ${plain(domain)} and everything in it. It cannot be undone.`;
    const confirm = given ?? (await askFor(context, question, { what: 'the domain of the store', flag: '--confirm' }));
    const erasure = await api.delete<StoreErasure>(`/stores/${id}`, { confirm });
    print.one(erasure, { ...erasure });
  },
});
