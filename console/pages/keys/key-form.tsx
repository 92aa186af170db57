import { useRef } from 'react';

import { isPortal } from '../../api/client.ts';
import { Field } from '../../parts/field.tsx';
import { AppSelect } from '../apps/app-select.tsx';

interface KeyFormProps {
  readonly storeId: string;
  readonly app: string | undefined;
  readonly keyText: string | undefined;
  readonly onChange: (change: { readonly app?: string | undefined; readonly key?: string | undefined }) => void;
}

/** The app and its key: the same text is another key for another app. */
export const KeyForm = ({ storeId, app, keyText, onChange }: KeyFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  return (
    <form
      ref={form}
      role="search"
      aria-label="Idempotency key"
      className={isPortal ? 'key-form own' : 'key-form'}
      onSubmit={(event) => {
        event.preventDefault();
        const key = new FormData(event.currentTarget).get('key');
        onChange({ key: typeof key === 'string' ? key.trim() || undefined : undefined });
      }}
    >
      {!isPortal && (
        <AppSelect
          storeId={storeId}
          isLabelShown
          none="Choose an app"
          chosen={app}
          onChange={(chosen) => onChange({ app: chosen })}
        />
      )}
      <Field
        key={keyText}
        name="key"
        label="Idempotency-Key"
        placeholder="As the app sent it"
        defaultValue={keyText}
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
        required
      />
      <button type="submit" className="button primary" disabled={app === undefined}>
        Look up
      </button>
    </form>
  );
};
