import type { ReactNode } from 'react';

import { CircleAlert, CircleCheck, Info, TriangleAlert } from '../icons/index.ts';
import { ApiError } from '../api/problem.ts';

const ICONS = { ok: CircleCheck, bad: CircleAlert, warn: TriangleAlert, info: Info } as const;

interface NoticeProps {
  readonly tone: keyof typeof ICONS;
  readonly title?: string;
  readonly children?: ReactNode;
}

/** Something that the reader should know on this page. */
export const Notice = ({ tone, title, children }: NoticeProps) => {
  const Icon = ICONS[tone];
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon size={17} aria-hidden />
      <div className="grow">
        {title !== undefined && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
};

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'Something went wrong.');

/** Says why a request failed, and offers a retry. */
export const Failure = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => (
  <Notice tone="bad" title={messageOf(error)}>
    {error instanceof ApiError && error.requestId !== null && (
      <span className="mute">
        Request <code>{error.requestId}</code>
      </span>
    )}
    {retry && (
      <div>
        <button type="button" className="button small" onClick={retry}>
          Try again
        </button>
      </div>
    )}
  </Notice>
);
