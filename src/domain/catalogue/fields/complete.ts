import type { Field, RecordField } from '../../fields/kinds.ts';
import { isStandard } from '../../fields/standard-fields.ts';
import type { Standard } from '../../fields/record.ts';

export interface FieldPlace {
  /** Index in its list, from 0. */
  readonly index: number;
  /** Called with the name of each field that needs a value and lacks it. */
  readonly missing?: (name: string) => void;
}

type Values = Readonly<Record<string, unknown>>;

/** Completion of a field. All steps have one form, so that a step is read quickly. */
interface Step {
  readonly name: string;
  readonly isRequired: boolean;
  /** Value of an absent field. */
  readonly absent: (index: number) => unknown;
  readonly within: ((value: unknown) => unknown) | null;
}

const absentOf = (field: Field): Step['absent'] => {
  if (field.orNull) return () => null;
  if (field.kind === 'list') return () => [];
  if (field.kind === 'map') return () => ({});
  if (field.isPlace) return field.kind === 'text' ? String : (index) => index;
  const value = 'default' in field ? field.default : undefined;
  return () => value;
};

const withinOf = (field: Field): Step['within'] => {
  if ((field.kind !== 'list' && field.kind !== 'map') || field.of.kind !== 'record' || field.of.isRow) return null;
  const steps = Object.entries(field.of.fields).map(stepOf);
  const part = (given: Values | undefined, index: number): Values =>
    Object.fromEntries(steps.map((step) => [step.name, completed(step, given?.[step.name], index)]));
  if (field.kind === 'list') return (value) => (value as readonly Values[]).map(part);
  return (value) =>
    Object.fromEntries(
      Object.entries(value as Readonly<Record<string, Values | undefined>>).map(([key, of]) => [key, part(of, 0)]),
    );
};

const stepOf = ([name, field]: [string, Field]): Step => ({
  name,
  isRequired: field.required !== undefined,
  absent: absentOf(field),
  within: withinOf(field),
});

const completed = ({ absent, within }: Step, value: unknown, index: number): unknown => {
  if (value == null) return absent(index);
  return within ? within(value) : value;
};

interface Plan {
  readonly steps: readonly Step[];
  /**
   * All names, to be copied. JSON.parse makes it, since an object that grows by computed names gets
   * slow with its thirteenth: V8 then keeps it as a dictionary.
   */
  readonly blank: Values;
}

const plans = new Map<RecordField['fields'], Plan>();

const planOf = ({ fields }: RecordField): Plan => {
  const known = plans.get(fields);
  if (known) return known;
  const whole = Object.entries(fields).filter(([, { only }]) => only !== 'given');
  const blank = JSON.parse(JSON.stringify(Object.fromEntries(whole.map(([name]) => [name, null])))) as Values;
  const plan = { blank, steps: whole.filter(([name]) => !isStandard(name)).map(stepOf) };
  plans.set(fields, plan);
  return plan;
};

/** The fields that do not simply have the given value: each from all that is given, and from where it is. */
export type Rules<T, G, At> = { readonly [K in keyof T]?: (given: G, at: At) => T[K] | null | undefined };

/**
 * The whole record, of its standard fields and its own: each by its rule, as it is given, or else its
 * default.
 */
export const completeRecord = <T extends Standard, G extends object, At extends FieldPlace = FieldPlace>(
  record: RecordField,
  standard: Standard,
  given: G,
  rules: Rules<T, G, At>,
  at: At | FieldPlace = { index: 0 },
): T => {
  const { steps, blank } = planOf(record);
  const whole: Record<string, unknown> = Object.assign({ ...blank }, standard);
  const ruleOf = rules as Readonly<Record<string, ((given: G, at: At) => unknown) | undefined>>;
  for (const step of steps) {
    const { name } = step;
    const rule = ruleOf[name];
    const value = completed(step, rule ? rule(given, at as At) : (given as Values)[name], at.index);
    if (step.isRequired && !value) at.missing?.(name);
    whole[name] = value;
  }
  return whole as T;
};
