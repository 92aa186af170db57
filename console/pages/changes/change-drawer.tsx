import type { AuditedChange } from '../../api/types.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import { Id } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Json } from '../../parts/json.tsx';
import { Facts } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { Result } from './result.tsx';
import { WAY, whyText } from './words.ts';

/** A part of a change; nothing where it is absent. */
const Part = ({ title, value }: { readonly title: string; readonly value: unknown }) =>
  value === null || value === undefined ? null : (
    <section className="stack">
      <h3>{title}</h3>
      <Json value={value} what={title.toLowerCase()} />
    </section>
  );

/** Shows who asked for a change, from where, and the values before and after. */
export const ChangeDrawer = ({ change, onClose }: { readonly change: AuditedChange; readonly onClose: () => void }) => {
  const { what, at, operator, way, address, path, route, requestId, body, before, refusal, outcome } = change;
  return (
    <Dialog kind="drawer" title={what} onClose={onClose}>
      <Facts
        facts={[
          ['Result', <Result key="result" refusal={refusal} outcome={outcome} />],
          ...(refusal ? [['Why', whyText(refusal)] as const] : []),
          ...(refusal && outcome ? [['Answer', <StatusBadge key="answer" status={outcome.status} />] as const] : []),
          ['By', operator],
          ['When', <Time key="when" at={at} />],
          ['Over', WAY[way]],
          ['From', <code key="from">{address}</code>],
          ['Request', <Id key="request" value={requestId} />],
          ['Path', <code key="path">{`${route.split(' ', 1)[0] ?? ''} ${path}`}</code>],
        ]}
      />
      {outcome === null && !refusal && (
        <p className="mute">The server stopped before the outcome was recorded. The change may have been made.</p>
      )}
      {refusal && refusal.count > 1 && (
        <p className="mute">
          {refusal.count.toLocaleString()} like it were refused in that hour so far. Some of them have no entry of their own.
        </p>
      )}
      <Part title="Sent" value={body} />
      <Part title="Before" value={before} />
      <Part title="After" value={outcome?.after} />
    </Dialog>
  );
};
