import type { z } from 'zod';

import { faultList, MAX_FAULTS } from '../../../../domain/values/fault-list.ts';
import { ok, refuse, type FieldErrors, type Refusal, type Result } from '../../../../domain/result.ts';
import { shortened } from '../../../../domain/values/text.ts';
import type { JsonPath } from './json-paths.ts';
import type { JsonValue } from './json.ts';
import { INEXACT } from '../../kit/fields.ts';
import { zodMessageOf } from './zod-messages.ts';

/** Characters of a key of the sender's own that a message repeats. */
const MAX_KEY_LENGTH = 64;

/** `products[3].id`, or the name of the whole. */
const nameOf = (path: readonly PropertyKey[], whole: string): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${String(step)}]` : `.${shortened(String(step), MAX_KEY_LENGTH)}`))
    .join('')
    .replace(/^\./, '') || whole;

const faulty = (errors: FieldErrors): Refusal<'invalid'> => {
  const message = Object.entries(errors)
    .map(([field, messages]) => `${field}: ${messages.join(', ')}`)
    .join('; ');
  return refuse('invalid', message, errors);
};

const valueAt = (value: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>(
    (part, step) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, step)
        ? (part as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );

/**
 * Judges an input by its schema, with at most MAX_FAULTS faults. A number that a double has rounded
 * is a fault where the schema kept it; one in a field that is ignored is not. `whole` is what a fault of
 * no single field is said of.
 */
export const judge = <S extends z.ZodType>(
  schema: S,
  { value, inexact }: JsonValue,
  whole: 'body' | 'query' = 'body',
): Result<z.output<S>, 'invalid'> => {
  const result = schema.safeParse(value, { error: zodMessageOf });
  const faults = faultList();
  if (!result.success) {
    for (const { path, message } of result.error.issues.slice(0, MAX_FAULTS)) faults.add(nameOf(path, whole), message);
    return faulty(faults.errors);
  }
  for (const path of inexact?.() ?? []) {
    if (faults.isFull()) break;
    if (typeof valueAt(result.data, path) === 'number') faults.add(nameOf(path, whole), INEXACT);
  }
  return faults.any() ? faulty(faults.errors) : ok(result.data);
};
