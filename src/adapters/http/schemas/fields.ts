import { z } from 'zod';

import { isExactNumber } from '../../../domain/values/exact-number.ts';
import { MAX_LOCALES } from '../../../domain/custom-data/metaobject-translation.ts';
import { mapOf } from './bounded.ts';

const INTEGER = /^-?\d+$/;
const DOUBLE = /^-?\d+(\.\d+)?$/;
const DIGITS = 'must be a string of digits';
/** Of a number that a double would round. */
export const INEXACT = 'has more digits than a 64-bit float keeps: at most 15 significant digits always fit';
const MAX_INT32 = 2_147_483_647;

const digits = (pattern: RegExp, number: z.ZodNumber | z.ZodInt) =>
  z.union([number, z.string().regex(pattern, DIGITS).refine(isExactNumber, INEXACT).transform(Number)]);

/** An integer of 32 bits, also as a string of digits (app-api.md, Notation). */
export const integer = digits(INTEGER, z.int())
  .pipe(
    z
      .int()
      .min(-MAX_INT32 - 1)
      .max(MAX_INT32),
  )
  .meta({ description: 'A number, or a string of digits.' });

/** An integer that a double holds exactly, also as a string of digits. */
export const int64 = digits(INTEGER, z.int()).pipe(z.int()).meta({ description: 'A number, or a string of digits.' });

/** A number, also as a string of digits with an optional decimal part. */
export const double = digits(DOUBLE, z.number())
  .pipe(z.number())
  .meta({ description: 'A number, or a string of digits with an optional decimal part.' });

/** A time with any offset, kept in UTC with milliseconds. */
export const time = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  // PostgreSQL has no year 0, and an offset can lead out of the four digits.
  .refine((utc) => /^(?!0000)\d{4}-/.test(utc), 'must be in the years 1 to 9999')
  .meta({ examples: ['2026-01-01T00:00:00.000Z'] });

/** A UUID, kept in lower case. */
export const uuidField = z.uuid().transform((id) => id.toLowerCase());

/** A map from a locale key, as it is answered. */
export const perLocaleResponse = <S extends z.ZodType>(schema: S) => z.record(z.string().min(1), schema);

/** A map from a locale key, as it is sent. */
export const perLocale = <S extends z.ZodType>(schema: S) => mapOf(schema, { max: MAX_LOCALES }, z.string().min(1));

/** The standard fields of a record, S in app-api.md. */
const standardResponse = {
  id: z.uuid(),
  tenantId: z.uuid().meta({ description: 'The store.' }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().nullable(),
  deletedAt: z.iso.datetime().nullable(),
  isDeleted: z.boolean(),
};

/** A record as it is answered, named in the OpenAPI document. */
export const record = <S extends z.ZodRawShape>(name: string, fields: S, ...examples: unknown[]) =>
  z.object({ ...standardResponse, ...fields }).meta({ id: name, ...(examples.length > 0 && { examples }) });

/** The standard fields as a document may bring them; the store is the path's. */
export const standardDocument = {
  id: uuidField.optional(),
  createdAt: time.optional(),
  updatedAt: time.nullish(),
  deletedAt: time.nullish(),
  isDeleted: z.boolean().optional(),
};
