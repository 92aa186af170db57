import type { Field, RecordField } from '../../../domain/fields/kinds.ts';
import { isStandard } from '../../../domain/fields/standard-fields.ts';
import type { Whole } from '../../../domain/fields/record.ts';
import type { NarrowedColumn, SqlType } from '../connection/sql-types.ts';

/** The type of a field's column. */
type FieldType = SqlType | 'text[]';
type Columns = Readonly<Record<string, FieldType>>;

export interface ProductTable {
  readonly table: string;
  /** The field of its parent's id, in the document; null for a record without one. */
  readonly parent: string | null;
  readonly fields: Columns;
  readonly lists: Readonly<Record<string, ProductTable>>;
}

const NUMBERS = { int32: 'int4', int64: 'int8', double: 'float8' } as const;
const SCALARS = { text: 'text', flag: 'bool', id: 'uuid', time: 'timestamptz', any: 'jsonb', map: 'jsonb' } as const;

/** Null for what has rows of its own. */
const typeOf = (field: Field): FieldType | null => {
  if (field.kind === 'record') return null;
  if (field.kind === 'number') return NUMBERS[field.size];
  if (field.kind !== 'list') return SCALARS[field.kind];
  if (field.of.kind === 'record') return field.of.isRow ? null : 'jsonb';
  return field.of.kind === 'text' ? 'text[]' : 'jsonb';
};

/** All that is stored of a row besides its store, and in this order. isDeleted follows from deletedAt. */
const STANDARD = { id: 'uuid', createdAt: 'timestamptz', updatedAt: 'timestamptz', deletedAt: 'timestamptz' } as const;

type RowLists<F> = { [K in keyof F]: F[K] extends { kind: 'list'; of: { isRow: true } } ? K : never }[keyof F];

/**
 * The table of a record. `lists` are the tables of its nested lists, in the order in which they are
 * written and answered. The id that only answers have is its parent's.
 */
export const tableOf = <R extends RecordField>(
  table: string,
  { fields }: R,
  lists: Readonly<Record<RowLists<R['fields']>, ProductTable>>,
): ProductTable => {
  const own = Object.entries(fields).filter(([name, { only }]) => !isStandard(name) && only !== 'given');
  const parent = own.find(([, { kind, only }]) => kind === 'id' && only === 'answered')?.[0] ?? null;
  const columns = own.flatMap(([name, field]) => {
    const type = name === parent ? null : typeOf(field);
    return type === null ? [] : [[name, type] as const];
  });
  return { table, parent, fields: Object.fromEntries(columns), lists };
};

/** All that is stored of a row besides its store, by the field's name in the document. */
export const storedFields = ({ parent, fields }: ProductTable): Columns => ({
  ...STANDARD,
  ...(parent !== null && { [parent]: 'uuid' as const }),
  ...fields,
});

/** The columns that `documentFields` gives of a record without lists. Times are text. */
export const columnsOf = <R extends RecordField>({ fields }: R) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const type = field.kind === 'time' ? 'text' : String(typeOf(field));
      return [name, { type: field.orNull ? `${type}?` : type, values: null }];
    }),
  ) as { readonly [K in keyof Whole<R>]: NarrowedColumn<Whole<R>[K]> };
