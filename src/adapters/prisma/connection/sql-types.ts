interface ColumnValues {
  bool: boolean;
  bytea: Buffer;
  float8: number;
  int2: number;
  int4: number;
  /** A text: the number may be beyond 2^53. */
  int8: string;
  json: unknown;
  jsonb: unknown;
  text: string;
  timestamptz: Date;
  uuid: string;
  varchar: string;
}

/** The JavaScript value that a parameter of each type takes; JSON as its text. */
interface ParameterValues extends Omit<ColumnValues, 'bytea' | 'int8' | 'json' | 'jsonb' | 'timestamptz'> {
  bytea: Uint8Array;
  int8: number | string;
  json: string;
  jsonb: string;
  timestamptz: Date | string;
}

/** A type by PostgreSQL's own name (pg_type.typname). */
export type SqlType = keyof ColumnValues;

/** `?` after the type: null is allowed, for the value or for the elements of an array. */
export type ParameterType = SqlType | `${SqlType}?` | `${SqlType}[]` | `${SqlType}?[]` | `${SqlType}[]?`;

/**
 * `?` after the type: the column may be null. `!`: its table allows null, and no row of the
 * statement has it.
 */
export type ColumnType = SqlType | `${SqlType}?` | `${SqlType}!` | `${SqlType}[]` | `${SqlType}[]?` | `${SqlType}[]!`;

/** A column whose values TypeScript knows more of than PostgreSQL: `values` where they are few. */
export interface NarrowedColumn<Value> {
  readonly type: ColumnType;
  readonly values: readonly unknown[] | null;
  /** For the type only; it has no value. */
  readonly value?: Value;
}

export type SqlColumn = ColumnType | NarrowedColumn<unknown>;

type Element<Values, Type> = Type extends keyof Values ? Values[Type] : never;

export type ParameterValue<Type extends ParameterType> = Type extends `${infer Of}?[]`
  ? readonly (Element<ParameterValues, Of> | null)[]
  : Type extends `${infer Of}[]?`
    ? readonly Element<ParameterValues, Of>[] | null
    : Type extends `${infer Of}[]`
      ? readonly Element<ParameterValues, Of>[]
      : Type extends `${infer Of}?`
        ? Element<ParameterValues, Of> | null
        : Element<ParameterValues, Type>;

type ColumnValue<Of extends SqlColumn> =
  Of extends NarrowedColumn<infer Value>
    ? Value
    : Of extends `${infer Type}[]?`
      ? Element<ColumnValues, Type>[] | null
      : Of extends `${infer Type}[]` | `${infer Type}[]!`
        ? Element<ColumnValues, Type>[]
        : Of extends `${infer Type}?`
          ? Element<ColumnValues, Type> | null
          : Of extends `${infer Type}!`
            ? Element<ColumnValues, Type>
            : Element<ColumnValues, Of>;

export type Columns = Readonly<Record<string, SqlColumn>>;

export type RowOf<Of extends Columns> = { -readonly [Name in keyof Of]: ColumnValue<Of[Name]> };

type TextType = 'text' | 'text?' | 'text[]' | 'text[]?' | 'text[]!';
type Narrowed<Type extends TextType, Value> = Type extends 'text?'
  ? Value | null
  : Type extends 'text[]' | 'text[]!'
    ? Value[]
    : Type extends 'text[]?'
      ? Value[] | null
      : Value;

/**
 * A column of text that holds one of `values`, or an array of them. The column's CHECK, where it
 * has one, must agree.
 */
export const oneOf = <Type extends TextType, const Value extends string>(
  type: Type,
  values: readonly Value[],
): NarrowedColumn<Narrowed<Type, Value>> => ({ type, values });

/**
 * A JSON column. PostgreSQL does not know what is in it: the statement that builds or stores it
 * does.
 */
export const json = <Value>(type: 'json' | 'json?' | 'json!' | 'jsonb' | 'jsonb?'): NarrowedColumn<Value> => ({
  type,
  values: null,
});
