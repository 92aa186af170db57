import { useEffect, type ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  /** Beside the title: a badge, for example. */
  readonly beside?: ReactNode;
  /** A line that says which question the page answers. */
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its heading and what can be done on it. */
export const Page = ({ title, beside, intro, actions, children }: PageProps) => {
  useEffect(() => {
    document.title = `${title} · Tenon`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div className="title">
          <div className="row">
            <h1>{title}</h1>
            {beside}
          </div>
          {intro !== undefined && <p>{intro}</p>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
};

interface PanelProps {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  /** Without space around, for a table or a list that fills it. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}

export const Panel = ({ title, actions, isFlush = false, children }: PanelProps) => (
  <section className="panel">
    <header>
      <h2>{title}</h2>
      {actions}
    </header>
    {isFlush ? children : <div className="body">{children}</div>}
  </section>
);

/** Names with what they stand for. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name} style={{ display: 'contents' }}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
