import { z } from 'zod';

import { nameFault } from '../../../domain/values/visible-name.ts';
import { isLongerThan, lengthOf, MAX_NAME_LENGTH, trimmed } from '../../../domain/values/text.ts';

export interface Lengths {
  readonly min?: number;
  readonly max: number;
}

const check =
  ({ min = 0, max }: Lengths) =>
  (value: string, context: z.core.$RefinementCtx<string>): void => {
    const size = { origin: 'string', inclusive: true, input: value } as const;
    if (isLongerThan(value, max)) context.addIssue({ ...size, code: 'too_big', maximum: max });
    else if (min > 0 && lengthOf(value) < min) context.addIssue({ ...size, code: 'too_small', minimum: min });
  };

const described = ({ min, max }: Lengths) => ({ ...(min !== undefined && { minLength: min }), maxLength: max });

/**
 * Text whose length is counted in characters (code points), as JSON Schema counts it; zod's own
 * `max` counts UTF-16 units.
 */
export const textOf = (lengths: Lengths) => z.string().superRefine(check(lengths)).meta(described(lengths));

const checkVisible = (value: string, context: z.core.$RefinementCtx<string>): void => {
  const message = nameFault(value);
  if (message !== null) context.addIssue({ code: 'custom', input: value, message });
};

/** The name of a store, an app or an operator: one that nobody else is deceived by. */
export const shownNameOf = (max = MAX_NAME_LENGTH) =>
  z
    .string()
    .overwrite(trimmed)
    .superRefine(check({ min: 1, max }))
    .superRefine(checkVisible)
    .meta({
      ...described({ min: 1, max }),
      description:
        'Leading and trailing white space is removed. Control characters and characters that hide or reorder text are refused.',
    });

/** A name: trimmed, then 1 to `max` characters (text.ts of the domain). */
export const nameOf = (max = MAX_NAME_LENGTH) =>
  z
    .string()
    .overwrite(trimmed)
    .superRefine(check({ min: 1, max }))
    .meta({ ...described({ min: 1, max }), description: 'Leading and trailing white space is removed.' });
