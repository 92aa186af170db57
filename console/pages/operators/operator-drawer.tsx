import { useState } from 'react';

import { api } from '../../api/client.ts';
import type { ConsoleCode, Operator } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { EffectsDialog } from '../../parts/effects-dialog.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Facts } from '../../parts/page.tsx';
import { Countdown, Time } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';
import { OperatorMethods } from './operator-methods.tsx';
import { OperatorTokens } from './operator-tokens.tsx';
import { ROLE, storesText } from './words.ts';

interface OperatorProps {
  readonly operator: Operator;
}

/** A link that signs the operator in once. It is shown this once. */
const SignInLink = ({ operator }: OperatorProps) => {
  const make = useAction({ act: () => api.post<ConsoleCode>(`/operators/${operator.id}/links`), changes: [] });
  if (!make.data) {
    return (
      <section className="stack">
        <div className="row">
          <h3 className="grow">Sign-in link</h3>
          <button type="button" className="button small primary" disabled={make.isPending} onClick={() => make.mutate()}>
            Create a sign-in link
          </button>
        </div>
        <p className="mute">
          It signs <bdi>{operator.name}</bdi> in to this console, once and within 10 minutes.
        </p>
        {make.isError && <Failure error={make.error} />}
      </section>
    );
  }
  const url = `${location.origin}${make.data.path}`;
  return (
    <section className="stack">
      <h3>Sign-in link</h3>
      <p>
        Give it to <bdi>{operator.name}</bdi>. It ends in{' '}
        <strong>
          <Countdown to={make.data.expiresAt} done="a moment" />
        </strong>
        , or when it was used.
      </p>
      <div className="secret">
        <code>{url}</code>
        <CopyButton text={url} what="the link" />
      </div>
    </section>
  );
};

const End = ({ operator, onClose }: OperatorProps & { readonly onClose: () => void }) => {
  const end = useAction({
    act: () => api.delete(`/operators/${operator.id}`),
    said: `${operator.name} has no access any more.`,
    onDone: onClose,
    changes: ['operators', 'console-sessions'],
  });
  return (
    <EffectsDialog
      title={`End ${operator.name}`}
      action="End the operator"
      isDanger
      isBusy={end.isPending}
      error={end.error}
      effects={[
        'The sessions, links and tokens of the operator are refused from the next request on.',
        'What the operator did stays in the list of changes.',
        'This cannot be undone. Add a new operator instead.',
      ]}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    />
  );
};

/** Shows an operator: role, stores, sign-in methods and deactivation. */
export const OperatorDrawer = ({ operator, onClose }: OperatorProps & { readonly onClose: () => void }) => {
  const [isEnding, setEnding] = useState(false);
  const { name, email, role, createdAt, endedAt } = operator;
  return (
    <Dialog
      kind="drawer"
      title={name}
      onClose={onClose}
      foot={
        endedAt === null && (
          <button type="button" className="button danger" onClick={() => setEnding(true)}>
            End the operator
          </button>
        )
      }
    >
      <Facts
        facts={[
          ['Role', `${ROLE[role].name}. ${ROLE[role].may}`],
          ['Stores', storesText(operator)],
          ['Email', email ?? <span className="mute">none</span>],
          ['Added', <Time key="added" at={createdAt} />],
          ...(endedAt === null ? [] : [['Ended', <Time key="ended" at={endedAt} />] as const]),
        ]}
      />
      {endedAt === null ? (
        <>
          <SignInLink operator={operator} />
          <OperatorMethods operator={operator} />
          <OperatorTokens operator={operator} />
        </>
      ) : (
        <p>
          <Badge tone="mute">Ended</Badge> The operator has no access.
        </p>
      )}
      {isEnding && <End operator={operator} onClose={() => setEnding(false)} />}
    </Dialog>
  );
};
