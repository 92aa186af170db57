import type { ReactNode } from 'react';

import { Claim } from './found.tsx';

interface EmptyProps {
  readonly title: string;
  /** Advice. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** In place of a list without items: why there are none, and what brings some. Says so only where that is known. */
export const Empty = ({ title, children, actions }: EmptyProps) => (
  <Claim>
    <div className="empty">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
  </Claim>
);
