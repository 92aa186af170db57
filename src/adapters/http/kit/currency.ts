import { z } from 'zod';

import { currencyRule, isActiveCurrency, isCurrency } from '../../../domain/values/currency.ts';
import { shortened } from '../../../domain/values/text.ts';

/** Characters of a wrong currency that a message repeats. */
const MAX_SHOWN = 20;

const wrong = ({ input }: { readonly input?: unknown }): string | undefined =>
  typeof input === 'string' ? currencyRule(shortened(input, MAX_SHOWN)) : undefined;

const currencyOf = (isValid: (code: string) => boolean, description: string) =>
  z
    .string()
    .regex(/^[A-Z]{3}$/, { error: wrong, abort: true })
    .refine(isValid, { error: wrong })
    .meta({ description, examples: ['EUR'] });

export const storeCurrency = currencyOf(isActiveCurrency, 'An active ISO 4217 currency code.');
export const priceCurrency = currencyOf(isCurrency, 'An ISO 4217 currency code: active, or withdrawn since 2010.');
