import { useState } from 'react';

import { api } from '../../api/client.ts';
import type { SignInMethod } from '../../api/types.ts';
import { EffectsDialog } from '../../parts/effects-dialog.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Ago, Time } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';
import { METHODS } from './queries.ts';

const KINDS = { passkey: 'Passkey', provider: 'Account' } as const;

interface RemoveProps {
  readonly method: SignInMethod;
  /** Path of the API that has the method. */
  readonly path: string;
}

const Remove = ({ method, path }: RemoveProps) => {
  const [isOpen, setOpen] = useState(false);
  const remove = useAction({
    act: () => api.delete(`${path}/${method.id}`),
    said: `${method.name} removed.`,
    onDone: () => setOpen(false),
    changes: [METHODS],
  });
  return (
    <>
      <button type="button" className="button small" aria-label={`Remove ${method.name}`} onClick={() => setOpen(true)}>
        Remove
      </button>
      {isOpen && (
        <EffectsDialog
          title={`Remove ${method.name}`}
          action={method.kind === 'passkey' ? 'Remove the passkey' : 'Remove the account'}
          isDanger
          isBusy={remove.isPending}
          error={remove.error}
          effects={
            method.kind === 'passkey'
              ? [
                  'It signs in no longer.',
                  'Sessions that it started continue until they end.',
                  'The device keeps its part. Remove it there too.',
                ]
              : [
                  'It signs in no longer until it is connected again, by its verified email address.',
                  'Sessions that it started continue until they end.',
                ]
          }
          onSubmit={() => remove.mutate()}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
};

const columns = (path: string): readonly Column<SignInMethod>[] => [
  { name: 'Kind', kind: 'tight', cell: ({ kind }) => KINDS[kind] },
  {
    name: 'Name',
    cell: ({ name }) => (
      <span className="clip" title={name}>
        {name}
      </span>
    ),
  },
  { name: 'Added', kind: 'time', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    name: 'Last used',
    kind: 'time',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span className="mute">never</span> : <Ago at={lastUsedAt} />),
  },
  { name: '', kind: 'tight', cell: (method) => <Remove method={method} path={path} /> },
];

interface MethodsProps {
  readonly items: readonly SignInMethod[];
  readonly path: string;
}

/** Passkeys and accounts of the identity provider, each with a way to remove it. */
export const Methods = ({ items, path }: MethodsProps) => (
  <Table label="Sign-in methods" columns={columns(path)} rows={items} keyOf={({ id }) => id} />
);
