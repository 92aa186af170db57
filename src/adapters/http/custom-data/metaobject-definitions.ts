import { z } from 'zod';

import { FIELD_TYPES, MAX_CHOICES, MAX_FIELDS } from '../../../domain/custom-data/metaobject.ts';
import { listOf } from '../kit/bounded.ts';
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

export const definitionRoutes = [
  route
    .put('/admin/stores/:storeId/metaobject-definitions/:type', 'putMetaobjectDefinition')
    .admin('Metaobjects')
    .summary('Define a type', 'Creates or replaces the definition. Returns 409 if the change would make stored entries invalid.')
    .params(typeParams)
    .body(definitionRequest)
    .returns(200, definitionResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .example({
      body: { name: 'Color chart', fields: [{ key: 'hex', type: 'color', required: true }] },
      response: {
        type: 'color_chart',
        name: 'Color chart',
        fields: [{ key: 'hex', name: 'hex', type: 'color', required: true, list: false, validations: {} }],
      },
    })
    .handle((app, { params, body }) => app.putDefinition(params.storeId, params.type, body)),
];
