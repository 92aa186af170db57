import { z } from 'zod';

import { FIELD_TYPES, MAX_CHOICES, MAX_FIELDS, MAX_REMOVED_WITH_TYPE } from '../../../domain/custom-data/metaobject.ts';
import { listOf } from '../kit/bounded.ts';
import { examplePage } from '../kit/example-record.ts';
import { pageQuery } from '../kit/page.ts';
import { route } from '../route.ts';
import { typeParams } from './metaobject-entries.ts';

const bound = z.union([z.number(), z.string()]).optional();

const validations = z
  .object({
    min: bound.meta({ description: 'For integer, decimal, money (the amount), date and date_time.' }),
    max: bound,
    minLength: z.number().optional().meta({ description: 'In characters. For text types and url.' }),
    maxLength: z.number().optional(),
    regex: z.string().optional().meta({ description: 'RE2 syntax. Matches anywhere unless anchored. For text types and url.' }),
    choices: listOf(z.union([z.string(), z.number()]), { max: MAX_CHOICES })
      .readonly()
      .optional()
      .meta({ description: 'At most 128.' }),
  })
  .strict()
  .meta({ id: 'MetaobjectValidations' });

const definitionRequest = z
  .object({
    name: z.string(),
    fields: listOf(
      z
        .object({
          key: z.string(),
          type: z.string().meta({ enum: [...FIELD_TYPES] }),
          name: z.string().optional().meta({ description: 'Default: the key.' }),
          required: z.boolean().optional(),
          list: z.boolean().optional().meta({ description: 'If true, the value is an array of at most 128 values of the type.' }),
          validations: validations.nullable().optional(),
        })
        .meta({ id: 'MetaobjectFieldRequest' }),
      { max: MAX_FIELDS },
    )
      .readonly()
      .meta({ description: 'At most 40.' }),
  })
  .meta({
    id: 'MetaobjectDefinitionRequest',
    description: 'The definition of a metaobject type.',
    examples: [{ name: 'Color chart', fields: [{ key: 'hex', type: 'color', required: true }] }],
  });

const DEFINITION_EXAMPLE = {
  type: 'color_chart',
  name: 'Color chart',
  fields: [{ key: 'hex', name: 'hex', type: 'color' as const, required: true, list: false, validations: {} }],
};

const definitionResponse = z
  .object({
    type: z.string(),
    name: z.string(),
    fields: z
      .array(
        z
          .object({
            key: z.string(),
            name: z.string(),
            type: z.enum(FIELD_TYPES),
            required: z.boolean(),
            list: z.boolean(),
            validations,
          })
          .meta({ id: 'MetaobjectField' }),
      )
      .readonly(),
  })
  .meta({ id: 'MetaobjectDefinition' });

export const countedDefinition = definitionResponse
  .extend({
    entries: z.int().meta({ description: 'How many entries it has, of all installations.' }),
    keptEntries: z.int().meta({ description: 'Those of uninstalled apps among them.' }),
  })
  .meta({
    id: 'CountedMetaobjectDefinition',
    description: 'A type with how many entries it has.',
    examples: [{ ...DEFINITION_EXAMPLE, entries: 12, keptEntries: 3 }],
  });

const definitionPage = z
  .object({ items: z.array(countedDefinition).readonly(), skip: z.int(), take: z.int(), total: z.int() })
  .meta({
    id: 'MetaobjectDefinitionPage',
    examples: [examplePage({ ...DEFINITION_EXAMPLE, entries: 12, keptEntries: 3 })],
  });

export const removedDefinition = z
  .object({ entries: z.int().meta({ description: 'How many entries were deleted with it, also those of uninstalled apps.' }) })
  .meta({ id: 'RemovedMetaobjectDefinition', examples: [{ entries: 12 }] });

const removalQuery = z.object({
  entries: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .default(0)
    .meta({
      type: 'integer',
      description: 'How many of its entries belong to apps that are not uninstalled, to confirm that you know it. Default: 0.',
    }),
});

const DEFINITIONS = '/admin/stores/:storeId/metaobject-definitions';

export const definitionRoutes = [
  route
    .get(DEFINITIONS, 'listMetaobjectDefinitions')
    .admin('Metaobjects')
    .summary('List the types of a store', 'Lists them by type, with how many entries each has.')
    .query(pageQuery)
    .returns(200, definitionPage)
    .refuses('not_found')
    .handle((app, { params, query }) => app.listDefinitions(params.storeId, query)),
  route
    .get(`${DEFINITIONS}/:type`, 'getMetaobjectDefinition')
    .admin('Metaobjects')
    .summary('Get a type', 'Returns its definition, and how many entries it has.')
    .params(typeParams)
    .returns(200, countedDefinition)
    .refuses('not_found')
    .handle((app, { params }) => app.getDefinition(params.storeId, params.type)),
  route
    .put(`${DEFINITIONS}/:type`, 'putMetaobjectDefinition')
    .admin('Metaobjects')
    .summary(
      'Define a type',
      'Creates or replaces the definition. Returns 409 if the change would make entries of an app that is not uninstalled invalid.',
    )
    .params(typeParams)
    .body(definitionRequest)
    .returns(200, definitionResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .example({
      body: { name: 'Color chart', fields: [{ key: 'hex', type: 'color', required: true }] },
      response: DEFINITION_EXAMPLE,
    })
    .handle((app, { params, body }) => app.putDefinition(params.storeId, params.type, body)),
  route
    .delete(`${DEFINITIONS}/:type`, 'deleteMetaobjectDefinition')
    .admin('Metaobjects')
    .summary(
      'Delete a type',
      'Deletes the definition and all of its entries, and returns how many these were. Returns 409 if `entries` is not the number of its entries of apps that are not uninstalled. ' +
        `Returns 409 if these are more than ${MAX_REMOVED_WITH_TYPE.toLocaleString('en')}.`,
    )
    .params(typeParams)
    .query(removalQuery)
    .audits((app, { storeId, type }) => app.getDefinition(storeId, type))
    .returns(200, removedDefinition)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params, query, cause }) => app.removeDefinition(cause, params.storeId, params.type, query.entries)),
];
