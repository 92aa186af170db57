import type { EntryCondition } from '../../../domain/custom-data/metaobject.ts';
import { MAX_FAULTS } from '../../../domain/values/fault-list.ts';
import { ok } from '../../../domain/result.ts';
import type { HandlerContext } from '../handler.ts';
import { route } from '../route.ts';
import {
  asOwnEntry,
  asOwnEntryPage,
  entryParams,
  entryRequest,
  entryResponse,
  entryTag,
  ownEntry,
  ownEntryPage,
  ownEntryQuery,
  ownTypeParams,
} from './metaobject.ts';

const LIST = '/custom-data/metaobjects/:type/entries';
const ENTRY = `${LIST}/:handle` as const;

const conditionOf = ({ condition }: HandlerContext): EntryCondition | null =>
  condition && ((present) => condition(entryTag(present)));

export const entryRoutes = [
  route
    .get(LIST, 'listMetaobjectEntries')
    .scope('read_metaobjects', 'Custom data')
    .summary('List your entries', "Lists the installation's own entries of the type, by handle. Edits do not shift pages.")
    .errors('problem')
    .params(ownTypeParams)
    .query(ownEntryQuery)
    .returns(200, ownEntryPage)
    .refuses('invalid', 'not_found')
    .handle(async (app, { caller, params, query }) => {
      const listed = await app.listOwnEntries(caller, params.type, query);
      return listed.ok ? ok(asOwnEntryPage(listed.value)) : listed;
    }),
  route
    .get(ENTRY, 'getMetaobjectEntry')
    .scope('read_metaobjects', 'Custom data')
    .summary('Get an entry', "Returns the installation's own entry with this handle.")
    .errors('problem')
    .params(entryParams)
    .returns(200, ownEntry)
    .etag()
    .refuses('not_found')
    .handle(async (app, { caller, params }) => {
      const found = await app.getEntry(caller, params.type, params.handle);
      return found.ok ? { ...ok(asOwnEntry(found.value)), etag: entryTag(found.value) } : found;
    }),
  route
    .put(ENTRY, 'putMetaobjectEntry')
    .scope('write_metaobjects', 'Custom data')
    .summary(
      'Create or replace an entry',
      `Affects only the installation's own entry with this handle. With \`If-Match\`, only an entry that you have seen is replaced. The errors of all fields are reported together, at most ${MAX_FAULTS}.`,
    )
    .errors('problem')
    .params(entryParams)
    .body(entryRequest)
    .returns(200, entryResponse)
    .etag()
    .refuses('invalid', 'unauthenticated', 'not_found', 'conflict', 'precondition_failed')
    .example({
      body: { fields: { title: 'Linen', hex: '#f4ede0' }, publishedAt: null, seoTitle: 'Linen', seoDescription: null },
      response: {
        handle: 'linen',
        id: '019a0000-0000-7000-8000-000000000001',
        publishedAt: null,
        seoDescription: null,
        seoTitle: 'Linen',
      },
    })
    .handle(async (app, { caller, params, body, cause, context }) => {
      const { fields, publishedAt, seoTitle, seoDescription, translations } = body;
      const input = { handle: params.handle, fields, publishedAt, seoTitle, seoDescription, translations };
      const put = await app.putEntry(cause, caller, params.type, input, conditionOf(context));
      if (!put.ok) return put;
      const entry = put.value;
      const answer = {
        handle: entry.handle,
        id: entry.id,
        publishedAt: entry.publishedAt,
        seoDescription: entry.seoDescription,
        seoTitle: entry.seoTitle,
      };
      return { ...ok(answer), etag: entryTag(entry) };
    }),
  route
    .delete(ENTRY, 'deleteMetaobjectEntry')
    .scope('write_metaobjects', 'Custom data')
    .summary('Delete an entry', "Deletes the installation's own entry with this handle. References to it stay.")
    .errors('problem')
    .params(entryParams)
    .returnsNothing()
    .etag()
    .refuses('unauthenticated', 'not_found', 'precondition_failed')
    .handle((app, { caller, params, cause, context }) => app.deleteEntry(cause, caller, params, conditionOf(context))),
];
