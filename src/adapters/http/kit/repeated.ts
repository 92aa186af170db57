import { z } from 'zod';

import { listOf } from './bounded.ts';

/** A parameter of a query that may be repeated, up to `max` times. */
export const several = <S extends z.ZodType>(schema: S, max: number) =>
  z.preprocess((value) => (typeof value === 'string' ? [value] : value), listOf(schema, { min: 1, max })).optional();
