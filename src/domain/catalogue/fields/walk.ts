import type { Field, RecordField } from '../../fields/kinds.ts';

/** The fields of a record that a rule is for, and its lists and maps that have such fields. */
export interface Plan<Rule> {
  readonly own: readonly (readonly [name: string, rule: Rule])[];
  readonly parts: readonly (readonly [name: string, plan: Plan<Rule>])[];
}

type Values = Readonly<Record<string, unknown>>;

const partsOf = (field: Field): RecordField | null =>
  (field.kind === 'list' || field.kind === 'map') && field.of.kind === 'record' ? field.of : null;

/**
 * `ruleOf` returns what a field is judged by, or undefined. What must be given comes first: others may follow from it. Of the
 * parts, the last declared come first: so variants come before what refers to them.
 */
export const planOf = <Rule>({ fields }: RecordField, ruleOf: (field: Field) => Rule | undefined): Plan<Rule> => {
  const needed = Object.entries(fields).toSorted(
    ([, a], [, b]) => Number(b.required !== undefined) - Number(a.required !== undefined),
  );
  const own = needed.flatMap(([name, field]): [string, Rule][] => {
    const rule = ruleOf(field);
    return rule === undefined ? [] : [[name, rule]];
  });
  const parts = Object.entries(fields)
    .flatMap(([name, field]): [string, Plan<Rule>][] => {
      const part = partsOf(field);
      return part ? [[name, planOf(part, ruleOf)]] : [];
    })
    .filter(([, plan]) => plan.own.length > 0 || plan.parts.length > 0)
    .reverse();
  return { own, parts };
};

/** The first value that breaks its rule. Its name is made only then. */
export const firstWrong = <Rule>(
  plan: Plan<Rule>,
  values: object,
  isWrong: (value: unknown, rule: Rule) => boolean,
): { readonly field: string; readonly rule: Rule } | null => {
  for (const [field, rule] of plan.own) if (isWrong((values as Values)[field], rule)) return { field, rule };
  for (const [name, within] of plan.parts) {
    const value = ((values as Values)[name] ?? {}) as Readonly<Record<string, object | undefined>>;
    const isList = Array.isArray(value);
    const parts = isList ? (value as readonly (object | undefined)[]) : Object.values(value);
    for (const [index, part] of parts.entries()) {
      const wrong = part && firstWrong(within, part, isWrong);
      if (!wrong) continue;
      const key = isList ? `[${index}]` : `.${Object.keys(value)[index] ?? ''}`;
      return { ...wrong, field: `${name}${key}.${wrong.field}` };
    }
  }
  return null;
};
