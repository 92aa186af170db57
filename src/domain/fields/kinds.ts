/** Options of a field of any kind. */
interface Common {
  /** Null is allowed, and is the default. */
  readonly orNull?: true;
  /** `given`: only documents have it. `answered`: only answers do. */
  readonly only?: 'given' | 'answered';
  /** Not empty. `document`: a document must give it. `record`: or it follows from other fields. */
  readonly required?: 'document' | 'record';
  /** An answer may leave it out. */
  readonly isOptional?: true;
  /** Index in its list, from 0, where a document does not give it. */
  readonly isPlace?: true;
  /** Meaning, where the name does not say it. */
  readonly about?: string;
}

interface Shown<Value> extends Common {
  readonly default?: Value;
  readonly example?: Value;
}

interface TextOptions extends Shown<string> {
  readonly values?: readonly string[];
  readonly max?: number;
  /** Removes white space at both ends. */
  readonly trim?: true;
  readonly format?: 'currency';
  /** A regular expression, for documents. */
  readonly pattern?: string;
}

interface NumberOptions extends Shown<number> {
  readonly format?: 'price';
  readonly min?: number;
  readonly max?: number;
}

interface IdOptions extends Common {
  /** The number of one of the ids in the examples. */
  readonly example?: number;
}

interface ListOptions extends Common {
  readonly max?: number;
  /** The natural key: the first of these fields that has a value. An element without an id is the stored one of the same key. */
  readonly key?: readonly string[];
  /** By default one element: the example of its kind. */
  readonly example?: readonly unknown[];
}

export interface MapOptions extends Common {
  readonly keys?: 'locale';
  readonly example?: Readonly<Record<string, unknown>>;
}

/** O, without options that its kind does not have. */
type Exact<O, Kind> = O & Readonly<Record<Exclude<keyof O, keyof Kind>, never>>;

export const text = <const O extends TextOptions>(options: Exact<O, TextOptions>) =>
  ({ ...options, kind: 'text' }) as O & { readonly kind: 'text' };

const number =
  <const Size extends string>(size: Size) =>
  <const O extends NumberOptions>(options: Exact<O, NumberOptions>) =>
    ({ ...options, kind: 'number', size }) as O & { readonly kind: 'number'; readonly size: Size };

export const int32 = number('int32');
/** Whole numbers that a double holds exactly. */
export const int64 = number('int64');
export const double = number('double');

export const flag = <const O extends Shown<boolean>>(options: Exact<O, Shown<boolean>>) =>
  ({ ...options, kind: 'flag' }) as O & { readonly kind: 'flag' };

export const id = <const O extends IdOptions>(options: Exact<O, IdOptions>) =>
  ({ ...options, kind: 'id' }) as O & { readonly kind: 'id' };

/** ISO 8601 in UTC with milliseconds. */
export const time = <const O extends Shown<string>>(options: Exact<O, Shown<string>>) =>
  ({ ...options, kind: 'time' }) as O & { readonly kind: 'time' };

export const list = <E extends Field, const O extends ListOptions>(of: E, options: Exact<O, ListOptions>) =>
  ({ ...options, kind: 'list', of }) as O & { readonly kind: 'list'; readonly of: E };

/** An object whose keys the merchant chooses. */
export const map = <E extends Field, const O extends MapOptions>(of: E, options: Exact<O, MapOptions>) =>
  ({ ...options, kind: 'map', of }) as O & { readonly kind: 'map'; readonly of: E };

/** Any JSON value. */
export const anything = { kind: 'any' } as const;

export type Fields = Readonly<Record<string, Field>>;

export interface RecordField extends Common {
  readonly kind: 'record';
  readonly name?: string;
  /** True for a record with the standard fields and its own rows. */
  readonly isRow: boolean;
  /** True for a record that is read by itself, and so has an example. */
  readonly isResource?: true;
  /** A document of it may hold another, under this name. */
  readonly nests?: string;
  /** Only some of its fields are there. */
  readonly isPartial?: true;
  readonly fields: Fields;
}

export interface ListField<Of extends Field = Field> extends ListOptions {
  readonly kind: 'list';
  readonly of: Of;
}

interface MapField extends MapOptions {
  readonly kind: 'map';
  readonly of: Field;
}

export type Field =
  | (TextOptions & { readonly kind: 'text' })
  | (NumberOptions & { readonly kind: 'number'; readonly size: 'int32' | 'int64' | 'double' })
  | (Shown<boolean> & { readonly kind: 'flag' })
  | (IdOptions & { readonly kind: 'id' })
  | (Shown<string> & { readonly kind: 'time' })
  | (Common & { readonly kind: 'any' })
  | ListField
  | MapField
  | RecordField;
