import { ENFORCED_SCOPES, KNOWN_SCOPES, scopeHelp, type Scope } from './scopes.ts';

interface PickerProps {
  readonly label?: string;
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}

const OneScope = ({ scope, chosen, onChange }: PickerProps & { readonly scope: Scope }) => {
  const isChosen = chosen.includes(scope);
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={() => onChange(isChosen ? chosen.filter((other) => other !== scope) : [...chosen, scope])}
      />
      <span>
        <code>{scope}</code>
        <small>{scopeHelp(scope)}</small>
      </span>
    </label>
  );
};

/** Shows the scopes of an app, each with what it allows. */
export const ScopePicker = ({ label = 'Scopes', chosen, onChange }: PickerProps) => (
  <fieldset>
    <legend>{label}</legend>
    {ENFORCED_SCOPES.map((scope) => (
      <OneScope key={scope} scope={scope} chosen={chosen} onChange={onChange} />
    ))}
    <details open={KNOWN_SCOPES.some((scope) => chosen.includes(scope))}>
      <summary>Scopes for later</summary>
      <div className="stack after">
        <p className="mute">You can grant these now, but no route or event needs them yet.</p>
        {KNOWN_SCOPES.map((scope) => (
          <OneScope key={scope} scope={scope} chosen={chosen} onChange={onChange} />
        ))}
      </div>
    </details>
  </fieldset>
);
