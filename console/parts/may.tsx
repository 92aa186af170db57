import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { isPortal } from '../api/client.ts';
import { operatorQuery } from '../api/queries.ts';
import type { CallingOperator } from '../api/types.ts';

type Role = CallingOperator['role'];

const RANK: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, owner: 2 };

interface MayProps {
  readonly needs?: Role;
  /** For those of all stores only. */
  readonly everywhere?: boolean;
  /** For those who may not. */
  readonly otherwise?: ReactNode;
  readonly children: ReactNode;
}

/** True when the reader may change something. Null while it is not known. */
export const useMay = ({ needs = 'operator', everywhere = false }: Pick<MayProps, 'needs' | 'everywhere'> = {}):
  boolean | null => {
  const { data } = useQuery({ ...operatorQuery, enabled: !isPortal });
  if (isPortal || (needs === 'viewer' && !everywhere)) return true;
  return data === undefined ? null : RANK[data.role] >= RANK[needs] && (!everywhere || data.storeIds === null);
};

/**
 * Shows what changes something to those who may change it. The server judges each request; this only
 * leaves out what it would refuse. An app's console has no roles.
 */
export const May = ({ otherwise, children, ...needs }: MayProps) => {
  const may = useMay(needs);
  return may === null ? null : may ? children : otherwise;
};
