import { map, type Fields, type MapOptions, type RecordField } from './kinds.ts';
import { standard } from './standard-fields.ts';

interface Part<F extends Fields> {
  readonly kind: 'record';
  readonly isRow: false;
  readonly fields: F;
}

/** A record without standard fields, which is stored and answered as a part of another. */
export const part = <F extends Fields>(fields: F, name?: string): Part<F> => ({
  kind: 'record',
  isRow: false,
  fields,
  ...(name !== undefined && { name }),
});

/** A record that is read by itself, under this name. */
export const resource = <F extends Fields>(name: string, fields: F, about?: string) =>
  ({ ...part(fields, name), isResource: true, ...(about !== undefined && { about }) }) as Part<F> & { readonly isResource: true };

/** A record with the standard fields. `example` is the number of its id in the examples. */
export const record = <F extends Fields>(name: string, example: number, fields: F) =>
  ({ kind: 'record', isRow: true, name, fields: { ...standard(example), ...fields } }) as const;

/** A nested record. */
export const one = <R extends RecordField, const O extends Pick<RecordField, 'only'>>(of: R, options: O) =>
  ({ ...of, ...options, orNull: true }) as R & O & { readonly orNull: true };

/** Some fields of a record, under a name of their own. */
export const partial = <R extends RecordField>(of: R, name: string, about: string) =>
  ({ ...of, name, about, isPartial: true, fields: { ...of.fields } }) as R & { readonly isPartial: true };

export const perLocale = <F extends Fields>(fields: F, example: Readonly<Record<string, object>> = {}) =>
  map<Part<F>, MapOptions>(part(fields), { keys: 'locale', example });

type OrNull<F, V> = V | (F extends { orNull: true } ? null : never) | (F extends { isOptional: true } ? undefined : never);

/** The value of a field: of a whole record, or of what is given of it. */
type Value<F, Side extends 'whole' | 'given'> = F extends { kind: 'text'; values: readonly (infer Text)[] }
  ? Text
  : F extends { kind: 'text' | 'id' | 'time' }
    ? string
    : F extends { kind: 'number' }
      ? number
      : F extends { kind: 'flag' }
        ? boolean
        : F extends { kind: 'list'; of: infer Of }
          ? Value<Of, Side>[]
          : F extends { kind: 'any' }
            ? unknown
            : F extends { kind: 'map'; of: infer Of }
              ? Record<string, Side extends 'whole' ? Value<Of, Side> : Value<Of, Side> | undefined>
              : F extends { isPartial: true; fields: infer Of extends Fields }
                ? Partial<Whole<Part<Of>>>
                : F extends RecordField
                  ? Side extends 'whole'
                    ? Whole<F>
                    : Given<F>
                  : never;

/** A record with all its fields, as it is stored and answered. */
export type Whole<R extends RecordField> = {
  -readonly [K in keyof R['fields'] as R['fields'][K] extends { only: 'given' } ? never : K]: OrNull<
    R['fields'][K],
    Value<R['fields'][K], 'whole'>
  >;
};

type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** A resource, which nobody changes in place. */
export type Resource<R extends RecordField> = Frozen<Whole<R>>;

type Needed<F> = { [K in keyof F]: F[K] extends { required: 'document' } ? K : never }[keyof F];
type Sent<F> = { [K in keyof F]: F[K] extends { only: 'answered' } ? never : K }[keyof F];

type GivenFields<F> = { [K in Needed<F>]: Value<F[K], 'given'> } & {
  [K in Exclude<Sent<F>, Needed<F>>]?: OrNull<F[K], Value<F[K], 'given'>> | undefined;
};

export type Given<R extends RecordField> = GivenFields<R['fields']> &
  // oxlint-disable-next-line typescript/consistent-indexed-object-style -- the type is its own part, which Record would resolve for ever
  (R extends { nests: infer Name extends string } ? { [K in Name]?: Given<R> | null | undefined } : unknown);

/** Fields that every record has. */
export type Standard = Whole<{ kind: 'record'; isRow: true; fields: ReturnType<typeof standard> }>;

/** A record that is put by itself: its own fields. What is required has nothing to follow from. */
export type Alone<R extends RecordField> = GivenFields<{
  [K in Exclude<keyof R['fields'], keyof Standard>]: R['fields'][K] extends { required: string }
    ? Omit<R['fields'][K], 'required'> & { required: 'document' }
    : R['fields'][K];
}>;
