import type { ReactNode } from 'react';

interface EmptyProps {
  readonly title: string;
  /** What to do about it. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** In place of a list without items: why there are none, and what brings some. */
export const Empty = ({ title, children, actions }: EmptyProps) => (
  <div className="empty">
    <h2>{title}</h2>
    {children !== undefined && <p>{children}</p>}
    {actions !== undefined && <div className="row">{actions}</div>}
  </div>
);

/** Where something is about to appear. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div className="stack" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} className="skeleton" style={{ width: `${96 - ((line * 17) % 40)}%` }} />
    ))}
  </div>
);
