import { z } from 'zod';

import { parseDomain, STORE_STATUSES } from '../../../domain/identity/store.ts';
import { nameOf } from './text.ts';

const domain = z
  .string()
  .refine((text) => parseDomain(text) !== null, 'must be a host name without a port')
  .transform((text) => text.toLowerCase())
  .meta({
    description: 'The primary domain, by whose host the store is found. Kept in lower case.',
    examples: ['shop.example.com'],
  });

const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be three capital letters, such as EUR')
  .meta({ description: 'ISO 4217.', examples: ['EUR'] });

export const newStore = z.object({ domain, name: nameOf().optional(), currency: currency.optional() }).meta({
  id: 'NewStore',
  description: 'By default, the name is the domain and the currency is USD.',
  examples: [{ domain: 'shop.example.com' }],
});

export const storeChanges = z
  .object({ name: nameOf().optional(), domain: domain.optional(), status: z.enum(STORE_STATUSES).optional() })
  .meta({
    id: 'StoreChanges',
    description:
      'Fields that are left out do not change. An inactive store answers every app with 401, and its tokens are revoked.',
    examples: [{ status: 'Inactive' }],
  });

export const store = z
  .object({
    id: z.uuid(),
    domain: z.string(),
    name: z.string(),
    currency: z.string(),
    status: z.enum(STORE_STATUSES),
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
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: null,
      },
    ],
  });
