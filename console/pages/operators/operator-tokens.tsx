import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { api } from '../../api/client.ts';
import { faultOf } from '../../api/problem.ts';
import type { IssuedOperatorToken, Operator, OperatorToken } from '../../api/types.ts';
import { Field } from '../../parts/field.tsx';
import { Claim, Found } from '../../parts/found.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { SecretsDialog } from '../../parts/secrets.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';
import { tokensQuery } from './queries.ts';

const CHANGES = ['operator-tokens'] as const;

const NewToken = ({ operator, onClose }: { readonly operator: Operator; readonly onClose: () => void }) => {
  const [name, setName] = useState('');
  const make = useAction({
    act: () => api.post<IssuedOperatorToken>(`/operators/${operator.id}/tokens`, { name: name.trim() }),
    changes: CHANGES,
  });
  if (make.data) {
    return (
      <SecretsDialog
        title={`A token of ${operator.name}`}
        secrets={[
          {
            name: 'Token',
            variable: 'TENON_ADMIN_TOKEN',
            value: make.data.token,
            help: 'For the command line and the admin API. It may do what the operator may.',
          },
        ]}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Create a token"
      action="Create the token"
      isBusy={make.isPending}
      isDisabled={name.trim() === ''}
      error={make.error}
      fields={['name']}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="Where it is used, for example “deploy”."
        required
        autoFocus
        autoComplete="off"
        value={name}
        fault={faultOf(make.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
};

const Revoke = ({ operatorId, token }: { readonly operatorId: string; readonly token: OperatorToken }) => {
  const revoke = useAction({
    act: () => api.delete(`/operators/${operatorId}/tokens/${token.id}`),
    said: `Token ${token.name} revoked.`,
    saysFailure: true,
    changes: CHANGES,
  });
  return (
    <button type="button" className="button small" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
      Revoke
    </button>
  );
};

const columns = (operatorId: string): readonly Column<OperatorToken>[] => [
  { name: 'Token', cell: ({ name }) => <span className="clip">{name}</span> },
  {
    name: 'Last used',
    kind: 'time',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span className="mute">never</span> : <Ago at={lastUsedAt} />),
  },
  {
    name: 'Expires',
    kind: 'time',
    cell: ({ expiresAt }) => (expiresAt === null ? <span className="mute">never</span> : <Ago at={expiresAt} />),
  },
  { name: '', kind: 'tight', cell: (token) => <Revoke operatorId={operatorId} token={token} /> },
];

/** The tokens of an operator, and the way to a new one. */
export const OperatorTokens = ({ operator }: { readonly operator: Operator }) => {
  const [isOpen, setOpen] = useState(false);
  const tokens = useQuery(tokensQuery(operator.id));
  return (
    <section className="stack">
      <div className="row">
        <h3 className="grow">Tokens</h3>
        <button type="button" className="button small" onClick={() => setOpen(true)}>
          Create a token
        </button>
      </div>
      <Found query={tokens}>
        {({ items }) =>
          items.length > 0 ? (
            <Table label="Tokens" columns={columns(operator.id)} rows={items} keyOf={({ id }) => id} />
          ) : (
            <Claim>
              <p className="mute">None. A person signs in with a link instead.</p>
            </Claim>
          )
        }
      </Found>
      {isOpen && <NewToken operator={operator} onClose={() => setOpen(false)} />}
    </section>
  );
};
