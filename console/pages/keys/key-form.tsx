import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';

import { appsQuery } from '../../api/queries.ts';
import { Field, Select } from '../../parts/field.tsx';

interface KeyFormProps {
  readonly storeId: string;
  readonly app: string | undefined;
  readonly keyText: string | undefined;
  readonly onChange: (change: { readonly app?: string | undefined; readonly key?: string | undefined }) => void;
}

/** The app and its key: the same text is another key for another app. */
export const KeyForm = ({ storeId, app, keyText, onChange }: KeyFormProps) => {
  const apps = useQuery(appsQuery(storeId));
  const form = useRef<HTMLFormElement>(null);
  return (
    <form
      ref={form}
      role="search"
      aria-label="Idempotency key"
      className="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        const key = new FormData(event.currentTarget).get('key');
        onChange({ key: typeof key === 'string' ? key.trim() || undefined : undefined });
      }}
    >
      <Select
        label="App"
        isLabelShown
        options={[['', 'Choose an app'], ...(apps.data?.items ?? []).map(({ id, name }) => [id, name] as const)]}
        chosen={app ?? ''}
        onChange={(chosen) => onChange({ app: chosen || undefined })}
      />
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
