import { z } from 'zod';

import { MAX_OPERATOR_STORES, ROLES } from '../../../domain/identity/operator.ts';
import { CREDENTIAL_PATTERNS } from '../../../domain/identity/token.ts';
import { OPERATOR_TOKEN_EXAMPLE } from '../kit/credential-examples.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { timeField, uuidField } from '../kit/fields.ts';
import { asListQuery, listPaging } from '../kit/page.ts';
import { shownNameOf, textOf } from '../kit/text.ts';

const MAX_OPERATOR_NAME = 100;

const role = z.enum(ROLES).meta({
  description: 'A viewer reads. An operator also changes. An owner also manages operators and erases stores.',
});
const storeIds = z
  .array(uuidField)
  .max(MAX_OPERATOR_STORES)
  .transform((ids) => [...new Set(ids)])
  .nullable()
  .meta({ description: 'The only stores that the operator reaches. Null for all. An owner reaches all.' });
const email = textOf({ max: 320 })
  .check(z.email())
  .nullable()
  .meta({ description: 'By it, the operator of an account of the identity provider is found. Tenon sends nothing to it.' });
const operatorName = shownNameOf(MAX_OPERATOR_NAME);

const EXAMPLE = { name: 'Ada Lovelace', email: 'ada@example.com', role: 'operator' as const, storeIds: [exampleId(1)] };

export const newOperator = z
  .object({ name: operatorName, email: email.default(null), role: role.default('viewer'), storeIds: storeIds.default(null) })
  .meta({ id: 'NewOperator', description: 'By default the role is viewer, for all stores.', examples: [EXAMPLE] });

export const operatorChanges = z
  .object({ name: operatorName.optional(), email: email.optional(), role: role.optional(), storeIds: storeIds.optional() })
  .meta({ id: 'OperatorChanges', description: 'Omitted fields do not change.', examples: [{ role: 'viewer' }] });

export const operator = z
  .object({
    id: z.guid(),
    name: z.string(),
    email: z.string().nullable(),
    role: z.enum(ROLES),
    storeIds: z.array(z.guid()).readonly().nullable(),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable().meta({ description: 'The operator has had no access since then.' }),
  })
  .meta({ id: 'Operator', examples: [{ id: exampleId(2), ...EXAMPLE, createdAt: EXAMPLE_TIME, endedAt: null }] });

export const operatorListQuery = z.object(listPaging).transform(asListQuery);

export const callingOperator = z
  .object({
    operatorId: z.guid().nullable().meta({ description: 'Null for the holder of ADMIN_TOKEN.' }),
    name: z.string(),
    role: z.enum(ROLES),
    storeIds: z.array(z.guid()).readonly().nullable().meta({ description: 'Null for all stores.' }),
    sessionId: z.guid().nullable().meta({ description: 'The console session of the request. Null for a token.' }),
  })
  .meta({
    id: 'CallingOperator',
    examples: [{ operatorId: exampleId(2), name: EXAMPLE.name, role: 'operator', storeIds: [exampleId(1)], sessionId: null }],
  });

export const newOperatorToken = z
  .object({
    name: operatorName,
    expiresAt: timeField.nullable().default(null).meta({ description: 'By default, the token does not expire.' }),
  })
  .meta({ id: 'NewOperatorToken', examples: [{ name: 'deploy', expiresAt: EXAMPLE_TIME }] });

const token = {
  id: z.guid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable().meta({ description: 'Accurate to a minute.' }),
};
const TOKEN_EXAMPLE = { id: exampleId(3), name: 'deploy', createdAt: EXAMPLE_TIME, expiresAt: null, lastUsedAt: null };

export const operatorToken = z.object(token).meta({ id: 'OperatorToken', examples: [TOKEN_EXAMPLE] });

export const operatorTokenList = z
  .object({ items: z.array(operatorToken).readonly() })
  .meta({ id: 'OperatorTokenList', examples: [{ items: [TOKEN_EXAMPLE] }] });

export const issuedOperatorToken = z
  .object({ ...token, token: z.string().meta({ pattern: CREDENTIAL_PATTERNS.operatorToken.source }) })
  .meta({
    id: 'IssuedOperatorToken',
    description: 'The token is shown only once.',
    examples: [{ ...TOKEN_EXAMPLE, token: OPERATOR_TOKEN_EXAMPLE }],
  });

const session = z
  .object({
    id: z.guid(),
    operator: z
      .object({ id: z.guid(), name: z.string() })
      .nullable()
      .meta({ description: 'Null for a session that ADMIN_TOKEN started.' }),
    address: z.string().nullable().meta({ description: 'Where it was started from.' }),
    agent: z.string().nullable().meta({ description: 'The User-Agent of the browser that started it.' }),
    startedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().meta({ description: 'Each use moves it, until 8 hours after the start.' }),
  })
  .meta({ id: 'ConsoleSession' });

export const sessionList = z.object({ items: z.array(session).readonly() }).meta({
  id: 'ConsoleSessionList',
  examples: [
    {
      items: [
        {
          id: exampleId(4),
          operator: { id: exampleId(2), name: EXAMPLE.name },
          address: '203.0.113.7',
          agent: 'Mozilla/5.0',
          startedAt: EXAMPLE_TIME,
          expiresAt: EXAMPLE_TIME,
        },
      ],
    },
  ],
});
