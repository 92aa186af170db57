import { plural } from '../../../../domain/values/plural.ts';
import type { MetaobjectDefinition, Page, RemovedDefinition } from '../../../http/answers.ts';
import { findStore, MOST_IN_A_PAGE } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';

export const TYPE_ARGUMENT = { parse: String, placeholder: 'type', brief: 'Type of custom data' } as const;

export const listTypes = adminCommand({
  docs: {
    brief: 'List the types of custom data of a store',
    about:
      'Kept entries are those of uninstalled apps. They are erased 30 days after the end of the app, unless it is installed again.',
    examples: ['tenon store custom-data types'],
  },
  flags: { store: STORE_FLAG },
  run: async ({ api, print }, { store }) => {
    const { id } = await findStore(api, store);
    const found: MetaobjectDefinition[] = [];
    for (let total = 1; found.length < total;) {
      const query = { skip: found.length, take: MOST_IN_A_PAGE };
      const page = await api.get<Page<MetaobjectDefinition>>(`/stores/${id}/metaobject-definitions`, query);
      found.push(...page.items);
      total = page.items.length === 0 ? 0 : page.total;
    }
    print.list(found, [
      { name: 'type', of: ({ type }) => type },
      { name: 'name', of: ({ name }) => name, drop: 2 },
      { name: 'fields', of: ({ fields }) => fields.length, align: 'right', drop: 1 },
      { name: 'entries', of: ({ entries }) => entries, align: 'right' },
      { name: 'kept', of: ({ keptEntries }) => keptEntries, align: 'right' },
    ]);
  },
});

export const deleteType = adminCommand({
  docs: {
    brief: 'Delete a type of custom data',
    about: 'Deletes its entries of all apps as well, and says how many these were. This cannot be undone.',
    examples: ['tenon store custom-data delete-type look --yes'],
  },
  flags: { store: STORE_FLAG, yes: YES_FLAG },
  positional: { kind: 'tuple', parameters: [TYPE_ARGUMENT] },
  run: async ({ api, print, context }, { store, yes }, type) => {
    const { id } = await findStore(api, store);
    const path = `/stores/${id}/metaobject-definitions/${encodeURIComponent(type)}`;
    const { entries, keptEntries } = await api.get<MetaobjectDefinition>(path);
    const inUse = entries - keptEntries;
    const all = plural(entries, 'entry', 'entries');
    await confirm(
      context,
      `This deletes ${plain(type)} with ${all}, ${inUse.toLocaleString('en')} of apps that are not uninstalled. It cannot be undone.`,
      yes,
    );
    const removed = await api.delete<RemovedDefinition>(path, { entries: inUse });
    print.one(removed, { type, entries: removed.entries });
  },
});
