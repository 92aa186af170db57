import { z } from 'zod';

import { parseDomain, STORE_STATUSES } from '../../../domain/identity/store.ts';
import { storeCurrency } from '../kit/currency.ts';
import { asListQuery, listPaging, searched } from '../kit/page.ts';
import { shownNameOf } from '../kit/text.ts';

const domain = z
  .string()
  .refine((text) => parseDomain(text) !== null, 'must be a host name without a port')
  .transform((text) => text.toLowerCase())
  .meta({
    description: 'The primary domain, in lower case. Requests with this host belong to the store.',
    examples: ['shop.example.com'],
  });

export const newStore = z.object({ domain, name: shownNameOf().optional(), currency: storeCurrency.optional() }).meta({
  id: 'NewStore',
  description: 'The name defaults to the domain, and the currency to USD.',
  examples: [{ domain: 'shop.example.com' }],
});

export const storeChangesSchema = z
  .object({ name: shownNameOf().optional(), domain: domain.optional(), status: z.enum(STORE_STATUSES).optional() })
  .meta({
    id: 'StoreChanges',
    description:
      'Omitted fields do not change. An inactive store answers every app request with 401, and its tokens are revoked.',
    examples: [{ status: 'Inactive' }],
  });

export const storeListQuery = z
  .object({
    q: searched('their name, domain or id'),
    status: z.enum(STORE_STATUSES).optional().meta({ description: 'Only stores with this status.' }),
    ...listPaging,
  })
  .transform(asListQuery);

export const eraseQuery = z.object({
  confirm: domain.meta({ description: 'The domain of the store, to confirm that the id is the right one.' }),
});

export const storeErasure = z
  .object({
    storeId: z.guid(),
    domain: z.string().meta({ description: 'The former domain of the store. It is now available to other stores.' }),
    acceptedAt: z.iso.datetime(),
    erasedRows: z.number().int().meta({ description: 'The number of rows erased so far.' }),
  })
  .meta({
    id: 'StoreErasure',
    examples: [
      {
        storeId: '019a0000-0000-7000-8000-000000000001',
        domain: 'shop.example.com',
        acceptedAt: '2026-11-21T09:30:00.000Z',
        erasedRows: 120_000,
      },
    ],
  });

export const store = z
  .object({
    id: z.guid(),
    domain: z.string(),
    name: z.string(),
    currency: z.string(),
    status: z.enum(STORE_STATUSES),
    sandboxAppId: z.guid().nullable().meta({
      description: 'The platform app whose developer made this sandbox store. Null for the store of a merchant.',
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'Store',
    examples: [
      {
        id: '019a0000-0000-7000-8000-000000000001',
        domain: 'shop.example.com',
        name: 'Shop',
        currency: 'EUR',
        status: 'Active',
        sandboxAppId: null,
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: null,
      },
    ],
  });
