import { ok, refuse, type Result } from '../result.ts';
import { faultList } from '../values/fault-list.ts';
import { NAME_RULE, parseName } from '../values/text.ts';
import { MAX_FIELDS, isMetaobjectType, TYPE_RULE, type Definition } from './metaobject.ts';
import { parseField, type FieldInput } from './metaobject-field.ts';

export interface DefinitionInput {
  readonly name: string;
  readonly fields: readonly FieldInput[];
}

/**
 * The definition as it is kept. A refusal has the first faults under `type`, `name`, `fields` and
 * `fields.<key>`. `isPattern` says whether the linear-time engine supports a pattern.
 */
export const parseDefinition = (
  type: string,
  input: DefinitionInput,
  isPattern: (pattern: string) => boolean,
): Result<Definition, 'invalid'> => {
  const faults = faultList();
  const name = parseName(input.name);
  if (!isMetaobjectType(type)) faults.add('type', TYPE_RULE);
  if (name === null) faults.add('name', NAME_RULE);
  const tooMany = input.fields.length > MAX_FIELDS;
  if (tooMany) faults.add('fields', `must have at most ${MAX_FIELDS} elements`);
  const seen = new Set<string>();
  const fields = (tooMany ? [] : input.fields).map((field) => {
    const report = (message: string): void => faults.add(`fields.${field.key}`, message);
    if (seen.has(field.key)) report('key appears more than once');
    seen.add(field.key);
    return parseField(field, isPattern, report);
  });
  if (name === null || faults.any()) return refuse('invalid', 'The definition is invalid.', faults.errors);
  return ok({ type, name, fields: fields.filter((field) => field !== null) });
};
