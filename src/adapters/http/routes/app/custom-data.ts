import { MAX_FAULTS } from '../../../../domain/values/fault-list.ts';
import { ok } from '../../../../domain/result.ts';
import { route } from '../../route.ts';
import { entryParams, entryRequest, entryResponse } from '../../schemas/metaobject.ts';

export const customDataRoutes = [
  route
    .put('/custom-data/metaobjects/:type/entries/:handle', 'putMetaobjectEntry')
    .scope('write_metaobjects', 'Custom data')
    .summary(
      'Create or replace an entry',
      `Affects only the installation's own entry with this handle. The errors of all fields are reported together, at most ${MAX_FAULTS}.`,
    )
    .errors('problem')
    .params(entryParams)
    .body(entryRequest)
    .returns(200, entryResponse)
    .refuses('invalid', 'not_found')
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
    .handle(async (app, { caller, params, body, cause }) => {
      const { fields, publishedAt, seoTitle, seoDescription, translations } = body;
      const input = { handle: params.handle, fields, publishedAt, seoTitle, seoDescription, translations };
      const put = await app.putEntry(cause, caller, params.type, input);
      if (!put.ok) return put;
      const entry = put.value;
      return ok({
        handle: entry.handle,
        id: entry.id,
        publishedAt: entry.publishedAt,
        seoDescription: entry.seoDescription,
        seoTitle: entry.seoTitle,
      });
    }),
];
