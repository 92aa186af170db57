import { z } from 'zod';

import { MAX_LOCALES } from '../../../domain/custom-data/metaobject-translation.ts';
import { countryRule, isCountry } from '../../../domain/values/country.ts';
import { currencyRule, isActiveCurrency, isCurrency } from '../../../domain/values/currency.ts';
import { isExactNumber } from '../../../domain/values/exact-number.ts';
import { MAX_INT32 } from '../../../domain/values/int32.ts';
import { shortened } from '../../../domain/values/text.ts';
import { mapOf } from './bounded.ts';

const INTEGER = /^-?\d+$/;
const DOUBLE = /^-?\d+(\.\d+)?$/;
const DIGITS = 'must be a string of digits';
/** Message for a number that a double would round, and for -0. */
export const INEXACT = 'cannot be kept exactly: at most 15 significant digits always fit, and zero has no sign';
const digits = (pattern: RegExp, number: z.ZodNumber | z.ZodInt) =>
  z.union([number, z.string().regex(pattern, DIGITS).refine(isExactNumber, INEXACT).transform(Number)]);

/** An integer of 32 bits, also as a string of digits (docs/specification/requests.md, "Numbers, ids and times"). */
export const integer = digits(INTEGER, z.int())
  .pipe(
    z
      .int()
      .min(-MAX_INT32 - 1)
      .max(MAX_INT32),
  )
  .meta({ description: 'A number, or a string of digits.' });

export const int64Field = digits(INTEGER, z.int()).pipe(z.int()).meta({ description: 'A number, or a string of digits.' });

export const doubleField = digits(DOUBLE, z.number())
  .pipe(z.number())
  .meta({ description: 'A number, or a string of digits with an optional decimal part.' });

/** A time with any offset, kept in UTC with milliseconds. */
export const timeField = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  // PostgreSQL has no year 0, and an offset can lead out of the four digits.
  .refine((utc) => /^(?!0000)\d{4}-/.test(utc), 'must be in the years 1 to 9999')
  .meta({ examples: ['2026-01-01T00:00:00.000Z'] });

/**
 * A UUID of any version, as parseUuid of the domain takes it. `z.uuid()` takes versions 1 to 8 alone, and ids of other systems
 * have others.
 */
export const uuidField = z.guid().transform((id) => id.toLowerCase());

export const perLocaleResponse = <S extends z.ZodType>(schema: S) => z.record(z.string().min(1), schema);

export const perLocaleField = <S extends z.ZodType>(schema: S) => mapOf(schema, { max: MAX_LOCALES }, z.string().min(1));

/**
 * A field that the use case judges, so that one bad value fails one product, or is reported with the
 * other faults of an entry. Here it is only described.
 */
export const judgedLater = (description: string, schema: Record<string, unknown>) =>
  z
    .unknown()
    .optional()
    .meta({ description, ...schema });

/** Unknown members of an object: only their names are read. */
export const UNREAD = z.unknown().transform((): null => null);

/** A time of a query in milliseconds. */
export const millisecondsOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

/** `?dryRun` of a request that may only be tried. */
export const dryRunFlag = (description: string) => z.enum(['0', '1']).optional().meta({ description });

/** True when the request is only tried. */
export const isDryRun = ({ dryRun: asked }: { readonly dryRun?: '0' | '1' | undefined }): boolean => asked === '1';

/** Characters of a wrong code that a message repeats. */
const MAX_SHOWN = 20;

const wrongBy =
  (rule: (given: string) => string) =>
  ({ input }: { readonly input?: unknown }): string | undefined =>
    typeof input === 'string' ? rule(shortened(input, MAX_SHOWN)) : undefined;

const wrong = wrongBy(currencyRule);

const currencyOf = (isValid: (code: string) => boolean, description: string) =>
  z
    .string()
    .regex(/^[A-Z]{3}$/, { error: wrong, abort: true })
    .refine(isValid, { error: wrong })
    .meta({ description, examples: ['EUR'] });

export const storeCurrency = currencyOf(isActiveCurrency, 'An active ISO 4217 currency code.');
export const priceCurrency = currencyOf(isCurrency, 'An ISO 4217 currency code: active, or withdrawn since 2010.');

export const countryField = z
  .string()
  .refine(isCountry, { error: wrongBy(countryRule) })
  .meta({ description: 'A code of ISO 3166-1 alpha-2, in capital letters.', examples: ['DE'] });
