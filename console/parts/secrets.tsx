import { useState, type ReactNode } from 'react';

import { CopyButton, useCopy } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

export interface Secret {
  readonly name: string;
  /** Name of an environment variable: `TENON_CLIENT_SECRET`. */
  readonly variable: string;
  readonly value: string;
  /** Purpose of the secret. */
  readonly help: string;
}

interface SecretsProps {
  readonly title: string;
  readonly secrets: readonly Secret[];
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

const CopyAll = ({ secrets }: Pick<SecretsProps, 'secrets'>) => {
  const { copied, copy } = useCopy(secrets.map(({ variable, value }) => `${variable}=${value}`).join('\n'));
  return (
    <button type="button" className="button" onClick={copy}>
      {copied ? 'Copied' : 'Copy as environment variables'}
    </button>
  );
};

/**
 * Shows secrets that the server shows once. Escape does not close the dialog: that would lose the
 * secrets by accident.
 */
export const SecretsDialog = ({ title, secrets, onClose, children }: SecretsProps) => {
  const [wasAsked, setAsked] = useState(false);
  return (
    <Dialog
      title={title}
      onClose={() => setAsked(true)}
      foot={
        <>
          <CopyAll secrets={secrets} />
          <button type="button" className="button primary" onClick={onClose}>
            I have stored {secrets.length === 1 ? 'it' : 'them'}
          </button>
        </>
      }
    >
      <Notice
        tone={wasAsked ? 'bad' : 'warn'}
        title={`${secrets.length === 1 ? 'This secret is' : 'These secrets are'} not shown again`}
      >
        {wasAsked
          ? 'Save the values below before you close this. A lost secret can only be replaced.'
          : 'Copy the values below to where the app keeps its secrets.'}
      </Notice>
      <dl className="secrets">
        {secrets.map(({ name, value, help }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span className="secret">
                <code>{value}</code>
                <CopyButton text={value} what={`the ${name.toLowerCase()}`} />
              </span>
              <span className="mute">{help}</span>
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </Dialog>
  );
};
