import type { Field, RecordField } from '../../../domain/fields/kinds.ts';
import type { Whole } from '../../../domain/fields/record.ts';
import { EXAMPLE_TIME } from '../../../domain/fields/standard-fields.ts';

export const exampleId = (n: number): string => `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`;

export { EXAMPLE_TIME };

/** The example of a field: the declared one, or else what follows from its kind. */
export const exampleOfField = (field: Field): unknown => {
  if (field.kind === 'record') return exampleOfRecord(field);
  if (field.kind === 'id' && field.example !== undefined) return exampleId(field.example);
  if (field.kind === 'map' && field.example && field.of.kind === 'record') return mapValues(field.example, field.of);
  if ('example' in field) return field.example;
  if (field.orNull) return null;
  if (field.kind === 'list') return [exampleOfField(field.of)];
  return field.kind === 'map' ? {} : (field as { default?: unknown }).default;
};

const mapValues = (values: Readonly<Record<string, unknown>>, of: RecordField) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { ...exampleOfRecord(of), ...(value as object) }]));

const exampleOfRecord = ({ fields }: RecordField): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.only === 'given' || field.isOptional ? [] : [[name, exampleOfField(field)]],
    ),
  );

export const exampleOf = <R extends RecordField>(record: R) => exampleOfRecord(record) as Whole<R>;

export const examplePage = (item: unknown) => ({ items: [item], skip: 0, take: 50, total: 1 });

const filler = (length: number): string => 'Example'.repeat(length).slice(0, length);

/** Credentials of the right shape that nobody holds: their checksums are wrong. */
export const CREDENTIAL_EXAMPLES = {
  clientId: `tnn_cid_${filler(28)}`,
  clientSecret: `tnn_cs_${filler(49)}`,
  signingSecret: `whsec_${filler(43)}=`,
};

export const ACCESS_TOKEN_EXAMPLE = `tnn_at_${filler(49)}`;
export const LOGIN_CODE_EXAMPLE = `tnn_code_${filler(49)}`;
export const OPERATOR_TOKEN_EXAMPLE = `tnn_op_${filler(49)}`;
