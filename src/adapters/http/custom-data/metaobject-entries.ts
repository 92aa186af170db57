import { createHash } from 'node:crypto';
import { z } from 'zod';

import { ENTRY_STATE } from '../../../domain/events/event-data.ts';
import { MAX_LOCALES } from '../../../domain/custom-data/metaobject-translation.ts';
import { parseHandle, type Entry, type EntryCondition } from '../../../domain/custom-data/metaobject.ts';
import { ok } from '../../../domain/result.ts';
import { MAX_FAULTS } from '../../../domain/values/fault-list.ts';
import type { HandlerContext } from '../handler.ts';
import { paging, fromOf, placedItems, pageQuery } from '../kit/page.ts';
import { exampleId, examplePage, EXAMPLE_TIME } from '../kit/example-record.ts';
import { judgedLater, uuidField } from '../kit/fields.ts';
import { answerOf } from '../kit/records.ts';
import { route } from '../route.ts';

const describedTime = { type: ['string', 'null'], format: 'date-time' };

const type = z.string().meta({ description: 'A type defined by the merchant.', examples: ['color_chart'] });

const entryParams = z.object({
  type,
  handle: z.string().meta({
    description: 'Converted to lower case. Must match `^[a-z0-9]+([-_][a-z0-9]+)*$`. At most 255 characters.',
    examples: ['linen'],
  }),
});

const translationsText =
  '`{locale: {fields: {key: text}, seoTitle, seoDescription}}`. Only text fields that are not lists can be translated. The same rules for length and pattern apply. At most ' +
  String(MAX_LOCALES) +
  ' locales.';

const entryRequest = z
  .object({
    fields: z.unknown().meta({
      description: 'Values by field key. `null` means no value.',
      type: 'object',
      additionalProperties: true,
    }),
    publishedAt: judgedLater('With a time zone.', describedTime),
    seoTitle: judgedLater('At most 255 characters.', { type: ['string', 'null'], maxLength: 255 }),
    seoDescription: judgedLater('At most 1000 characters.', { type: ['string', 'null'], maxLength: 1000 }),
    translations: judgedLater(translationsText, { type: ['object', 'null'], additionalProperties: true }),
  })
  .meta({
    id: 'MetaobjectEntryRequest',
    description: 'The whole entry. Omitted fields are cleared.',
    examples: [
      { fields: { title: 'Linen', hex: '#f4ede0' }, publishedAt: '2026-01-01T00:00:00Z', seoTitle: null, seoDescription: null },
    ],
  });

const time = z.iso.datetime();

export const entryResponse = z
  .object({
    handle: z.string(),
    id: z.guid(),
    publishedAt: time.nullable(),
    seoDescription: z.string().nullable(),
    seoTitle: z.string().nullable(),
  })
  .meta({ id: 'MetaobjectEntry', description: 'An entry owned by this installation.' });

const ENTRY_EXAMPLE = {
  id: exampleId(50),
  type: 'color_chart',
  handle: 'linen',
  fields: { title: 'Linen', hex: '#f4ede0' },
  translations: { de: { fields: { title: 'Leinen' }, seoTitle: null, seoDescription: null } },
  publishedAt: null,
  seoTitle: 'Linen',
  seoDescription: null,
  createdAt: EXAMPLE_TIME,
  updatedAt: null,
};

const storedEntry = answerOf(ENTRY_STATE)
  .omit({ origin: true })
  .extend({ installationId: z.guid(), createdAt: time, updatedAt: time.nullable() })
  .meta({ id: 'StoredMetaobjectEntry', description: 'An entry, with the installation that owns it.' });

export const ownEntry = storedEntry.omit({ installationId: true }).meta({
  id: 'OwnMetaobjectEntry',
  description: 'An entry owned by this installation, with all that it holds.',
  examples: [ENTRY_EXAMPLE],
});

const handleCursor = (handle: string): string => Buffer.from(handle).toString('base64url');

/** Null where the text is not the cursor of a handle. */
const handleIn = (cursor: string): string | null => {
  const handle = parseHandle(Buffer.from(cursor, 'base64url').toString('latin1'));
  return handle !== null && handleCursor(handle) === cursor ? handle : null;
};

const ownEntryQuery = z
  .object({
    product: uuidField
      .optional()
      .meta({ description: 'Only entries that refer to this product in a field of type `product_reference`.' }),
    after: z
      .string()
      .transform((cursor, context): string => {
        const handle = handleIn(cursor);
        if (handle === null) context.addIssue('must be the value of `next` of an earlier page');
        return handle ?? '';
      })
      .optional()
      .meta({ description: 'The `next` of the previous page. By default, the list starts with the first handle.' }),
    take: paging.take,
  })
  .transform(({ product, after, take }) => ({ product, ...fromOf({ after, take }) }));

export const ownEntryPage = placedItems(ownEntry, 'OwnMetaobjectEntryPage');

const asOwnEntryPage = ({ items, next }: { readonly items: readonly Entry[]; readonly next: string | null }) => ({
  items: items.map(asOwnEntry),
  next: next === null ? null : handleCursor(next),
});

const asOwnEntry = ({ installationId: _, ...entry }: Entry) => entry;

/** A strong tag: two states of an entry that have the same one are the same bytes. */
const entryTag = (entry: Entry): string =>
  createHash('sha256')
    .update(JSON.stringify(asOwnEntry(entry)))
    .digest('base64url');

const entryPage = z.object({ items: z.array(storedEntry).readonly(), skip: z.int(), take: z.int(), total: z.int() }).meta({
  id: 'MetaobjectEntryPage',
  examples: [examplePage({ ...ENTRY_EXAMPLE, installationId: exampleId(30) })],
});

export const typeParams = z.object({ storeId: uuidField, type });
const ownTypeParams = z.object({ type });

const LIST = '/custom-data/metaobjects/:type/entries';
const ENTRY = `${LIST}/:handle` as const;

const conditionOf = ({ condition }: HandlerContext): EntryCondition | null =>
  condition && ((present) => condition(present && entryTag(present)));

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
      `Affects only the installation's own entry with this handle. With \`If-Match\`, only an entry that you have seen is replaced, and with \`If-None-Match: *\`, only a new one is created. The errors of all fields are reported together, at most ${MAX_FAULTS}.`,
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

export const storedEntryRoutes = [
  route
    .get('/admin/stores/:storeId/metaobjects/:type', 'listMetaobjectEntries')
    .admin('Metaobjects')
    .summary('List the entries of a type', 'Lists the entries of all installations, oldest first.')
    .params(typeParams)
    .query(pageQuery)
    .returns(200, entryPage)
    .refuses('not_found')
    .handle((app, { params, query }) => app.listEntries(params.storeId, params.type, query)),
];
