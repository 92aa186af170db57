import { Link } from '@tanstack/react-router';

import { Badge, type Tone } from '../../parts/badge.tsx';
import { Time } from '../../parts/time.tsx';
import { INVARIANT_WORDS, verdictOf, type Checked, type Verdict } from './words.ts';
import { plural } from '../../parts/plural.ts';

const VERDICTS: Readonly<Record<Verdict, readonly [tone: Tone, words: string]>> = {
  violated: ['bad', 'Violated'],
  incomplete: ['warn', 'Not checked'],
  true: ['ok', 'True'],
};

const Example = ({ storeId, id, kind }: { readonly storeId: string; readonly id: string; readonly kind: string }) => {
  if (kind === 'store') {
    return (
      <Link to="/stores/$storeId" params={{ storeId: id }}>
        <code>{id}</code>
      </Link>
    );
  }
  // The id of the app and the key, or of a store and the number of an entry: neither has a page here.
  if (kind === 'key' || kind === 'entry') return <code>{id}</code>;
  const to = kind === 'event' ? '/stores/$storeId/events' : '/stores/$storeId/deliveries';
  return (
    <Link to={to} params={{ storeId }} search={{ open: id }}>
      <code>{id}</code>
    </Link>
  );
};

const countText = ({ counted, isSample }: Checked): string => {
  if (counted === null) return 'The check timed out, so there is no result. Run it again.';
  const rows = `${plural(counted, 'row')} looked at`;
  return isSample ? `${rows}, a sample` : rows;
};

/** Shows an invariant: its statement, its state, and the rows that violate it. */
export const Invariant = ({ storeId, checked }: { readonly storeId: string; readonly checked: Checked }) => {
  const { name, statement, violated, examples, checkedAt } = checked;
  const verdict = verdictOf(checked);
  const [tone, words] = VERDICTS[verdict];
  const { examples: kind, otherwise } = INVARIANT_WORDS[name];
  return (
    <li className={`invariant ${verdict}`}>
      <Badge tone={tone}>{words}</Badge>
      <div className="stack">
        <strong>{statement}</strong>
        <p className="mute">
          Otherwise: {otherwise} <code className="nowrap">{name}</code>
        </p>
        {verdict === 'violated' && (
          <div className="stack" style={{ gap: 2 }}>
            <span className="tone-bad">
              {plural(violated ?? 0, 'violation')}
              {examples.length > 0 && `, for example ${examples.length === 1 ? `this ${kind}` : 'these'}:`}
            </span>
            {examples.map((id) => (
              <span key={id}>
                <Example storeId={storeId} id={id} kind={kind} />
              </span>
            ))}
          </div>
        )}
      </div>
      <span className="mute invariant-count">
        {countText(checked)}
        <br />
        <Time at={checkedAt} />
      </span>
    </li>
  );
};
