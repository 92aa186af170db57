import type { Page, StoredMetaobjectEntry } from '../../../http/answers.ts';
import { findStore, MOST_IN_A_PAGE } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { LIMIT_FLAG, STORE_FLAG, WIDE_FLAG, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';
import { writeStream } from '../../output/write-stream.ts';
import { TYPE_ARGUMENT } from './types.ts';

const entriesOf = (storeId: string, type: string): string => `/stores/${storeId}/metaobjects/${encodeURIComponent(type)}`;

export const listEntries = adminCommand({
  docs: {
    brief: 'List the entries of a type, of all apps',
    examples: ['tenon store custom-data list look', 'tenon store custom-data list look --json | jq -r .handle'],
  },
  flags: { store: STORE_FLAG, limit: LIMIT_FLAG, ...WIDE_FLAG },
  positional: { kind: 'tuple', parameters: [TYPE_ARGUMENT] },
  run: async ({ api, print }, { store, limit }, type) => {
    const { id: storeId } = await findStore(api, store);
    const found: StoredMetaobjectEntry[] = [];
    let total = 1;
    while (found.length < Math.min(total, limit)) {
      const query = { skip: found.length, take: Math.min(MOST_IN_A_PAGE, limit - found.length) };
      const page = await api.get<Page<StoredMetaobjectEntry>>(entriesOf(storeId, type), query);
      found.push(...page.items);
      total = page.items.length === 0 ? found.length : page.total;
    }
    print.list(found, [
      { name: 'id', of: ({ id }) => id, kind: 'whole' },
      { name: 'handle', of: ({ handle }) => handle },
      { name: 'app', of: ({ installationId }) => installationId, drop: 2 },
      { name: 'kept until', of: ({ keptUntil }) => keptUntil, kind: 'time' },
      { name: 'created', of: ({ createdAt }) => createdAt, kind: 'time', drop: 1 },
    ]);
    if (total > found.length) print.sayMeanwhile(`${String(found.length)} of ${String(total)} entries. See --limit.`);
  },
});

export const exportEntries = adminCommand({
  docs: {
    brief: 'Export the entries of a type, of all apps',
    about: 'Writes one entry per line (NDJSON) to standard output, also those of uninstalled apps.',
    examples: ['tenon store custom-data export look > look.ndjson'],
  },
  flags: { store: STORE_FLAG },
  positional: { kind: 'tuple', parameters: [TYPE_ARGUMENT] },
  run: async ({ api, context }, { store }, type) => {
    const { id } = await findStore(api, store);
    const { body } = await api.send(`${entriesOf(id, type)}/export`, {});
    if (body) await writeStream(body, context.process);
  },
});

export const removeStoredEntry = adminCommand({
  docs: {
    brief: 'Delete an entry of any app',
    about: 'Its app gets metaobject.deleted. This cannot be undone.',
    examples: ['tenon store custom-data delete look 019a0000-0000-7000-8000-000000000050 --yes'],
  },
  flags: { store: STORE_FLAG, yes: YES_FLAG },
  positional: {
    kind: 'tuple',
    parameters: [TYPE_ARGUMENT, { parse: String, placeholder: 'id', brief: 'Id of the entry' }],
  },
  run: async ({ api, print, context }, { store, yes }, type, entryId) => {
    const { id } = await findStore(api, store);
    await confirm(context, `This deletes the entry ${plain(entryId)} of ${plain(type)}. It cannot be undone.`, yes);
    await api.delete(`${entriesOf(id, type)}/${encodeURIComponent(entryId)}`);
    print.one({ id: entryId }, { id: entryId, status: 'Deleted' });
  },
});
