import { Field, Select } from '../../parts/field.tsx';
import type { Parameter } from './document.ts';
import { plural } from '../../parts/plural.ts';

interface ParametersProps {
  readonly parameters: readonly Parameter[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

const One = ({
  parameter,
  value,
  onChange,
}: {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => {
  const { name, options, isRequired, isList, description, fallback } = parameter;
  if (options !== null && !isList) {
    return (
      <Select
        label={name}
        isLabelShown
        options={[['', isRequired ? 'Choose one' : 'Not sent'], ...options.map((option) => [option, option] as const)]}
        chosen={value}
        onChange={onChange}
      />
    );
  }
  return (
    <Field
      label={name}
      hint={isList ? `${description} Separate several with a comma.` : description || undefined}
      value={value}
      required={isRequired}
      placeholder={fallback || (isRequired ? undefined : 'Not sent')}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  );
};

/** The parameters of a call: those that it needs, and the others folded away. */
export const Parameters = ({ parameters, values, onChange }: ParametersProps) => {
  const fields = (some: readonly Parameter[]) =>
    some.map((parameter) => (
      <One
        key={parameter.name}
        parameter={parameter}
        value={values[parameter.name] ?? ''}
        onChange={(value) => onChange(parameter.name, value)}
      />
    ));
  const required = parameters.filter(({ isRequired }) => isRequired);
  const optional = parameters.filter(({ isRequired }) => !isRequired);
  return (
    <>
      {fields(required)}
      {optional.length > 0 && (
        <details>
          <summary>{plural(optional.length, 'optional parameter')}</summary>
          <div className="stack after">{fields(optional)}</div>
        </details>
      )}
    </>
  );
};
