import { z } from 'zod';

import { uuidField } from './kit/fields.ts';

/** The names that a path has after its colons. */
type NamesIn<Path> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** Each is a UUID, in lower case. */
export type ParamsOf<Path> = [NamesIn<Path>] extends [never] ? null : Readonly<Record<NamesIn<Path>, string>>;

/** The schema of the path's parameters. Null for a path without parameters. */
export const paramsOf = (path: string): z.ZodType | null => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, uuidField]);
  return names.length === 0 ? null : z.object(Object.fromEntries(names) as z.ZodRawShape);
};
