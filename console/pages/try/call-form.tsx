import { useState } from 'react';

import { Send } from '../../icons/index.ts';
import { Field, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { callOf, draftOf, faultOf, newKey, type Call, type KnownProduct } from './compose.ts';
import type { Operation } from './document.ts';
import { Parameters } from './parameters.tsx';

interface CallFormProps {
  readonly operation: Operation;
  readonly product: KnownProduct | null;
  readonly isBusy: boolean;
  readonly onSend: (call: Call) => void;
}

/** Composes a call from the examples of the document. The key stays until the reader makes a new one. */
export const CallForm = ({ operation, product, isBusy, onSend }: CallFormProps) => {
  const [draft, setDraft] = useState(() => draftOf(operation, product));
  const [key, setKey] = useState(newKey);
  const [fault, setFault] = useState<string | null>(null);
  const { method, needsKey, parameters, body } = operation;
  const send = (): void => {
    const missing = faultOf(operation, draft);
    setFault(missing);
    if (missing === null) onSend(callOf(operation, draft, key));
  };
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) send();
      }}
    >
      <Parameters
        parameters={parameters}
        values={draft.values}
        onChange={(name, value) => setDraft({ ...draft, values: { ...draft.values, [name]: value } })}
      />
      {body !== null && (
        <TextField
          label="Body"
          rows={Math.min(Math.max(draft.body.split('\n').length + 1, 6), 20)}
          value={draft.body}
          onChange={(event) => setDraft({ ...draft, body: event.target.value })}
        />
      )}
      {needsKey && (
        <div className="with-button">
          <Field
            label="Idempotency-Key"
            hint="The key stays the same each time you press Send, so the work is done once. If you change the body, the request is refused."
            value={key}
            maxLength={255}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setKey(event.target.value)}
          />
          <button type="button" className="button" onClick={() => setKey(newKey())}>
            New key
          </button>
        </div>
      )}
      {fault !== null && <Notice tone="bad" title={fault} />}
      <div className="row">
        <button type="submit" className="button primary" disabled={isBusy}>
          <Send size={15} aria-hidden /> {isBusy ? 'Sending' : 'Send'}
        </button>
        {method !== 'GET' && <span className="mute">This call writes to the store.</span>}
      </div>
    </form>
  );
};
