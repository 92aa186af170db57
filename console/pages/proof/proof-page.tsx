import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { RotateCw } from '../../icons/index.ts';
import type { Verification } from '../../api/types.ts';
import { Claim, Found } from '../../parts/found.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Ago } from '../../parts/time.tsx';
import { Invariant } from './invariant.tsx';
import { verifyQuery } from './queries.ts';
import { verdictOf, worstFirst } from './words.ts';
import { plural } from '../../parts/plural.ts';

const route = getRouteApi('/inside/stores/$storeId/proof');

const Summary = ({ checked: { invariants, durationMs, checkedAt } }: { readonly checked: Verification }) => {
  const verdicts = invariants.map(verdictOf);
  const violated = verdicts.filter((verdict) => verdict === 'violated').length;
  const incomplete = verdicts.filter((verdict) => verdict === 'incomplete').length;
  const rows = invariants.reduce((sum, { counted }) => sum + (counted ?? 0), 0);
  const how = (
    <span className="mute">
      {plural(rows, 'row')} looked at in {Math.round(durationMs).toLocaleString()} ms, <Ago at={checkedAt} />.
    </span>
  );
  if (violated > 0) {
    return (
      <Notice tone="bad" title={`${violated} of ${invariants.length} statements ${violated === 1 ? 'is' : 'are'} violated`}>
        <span>This is a bug in Tenon, or the database was changed by hand. Save the examples and report it.</span>
        {how}
      </Notice>
    );
  }
  if (incomplete > 0) {
    return (
      <Notice tone="warn" title={`${incomplete} of ${invariants.length} checks timed out`}>
        {how}
      </Notice>
    );
  }
  return (
    <Claim>
      <Notice tone="ok" title={`All ${invariants.length} statements are true`}>
        {how}
      </Notice>
    </Claim>
  );
};

const How = () => (
  <Panel title="How this is checked">
    <div className="stack prose">
      <p>
        Each statement is one query on the live database, over all stores. It only reads. A query sees a single moment, so it is
        true while any number of servers work.
      </p>
      <p>
        <strong>A sample:</strong> a query looks at no more than 10,000 rows, most of them at the newest ones. Where it met that
        limit, there may be rows that it did not look at.
      </p>
      <p>
        <strong>Under faults:</strong> <code>npm run faults</code> in the repository kills servers, cuts connections and stops
        PostgreSQL in the middle of work, then checks that no event was lost and no work was done twice.
      </p>
    </div>
  </Panel>
);

export const ProofPage = () => {
  const { storeId } = route.useParams();
  const checked = useQuery(verifyQuery);
  return (
    <Page
      title="Proof"
      intro="Is anything lost, duplicated or stuck? These statements are checked on the live database."
      actions={
        <button type="button" className="button" disabled={checked.isFetching} onClick={() => void checked.refetch()}>
          <RotateCw size={15} aria-hidden /> {checked.isFetching ? 'Checking' : 'Check again'}
        </button>
      }
    >
      <Found query={checked} lines={8}>
        {(data) => (
          <>
            <Summary checked={data} />
            <ul className="panel invariants">
              {worstFirst(data.invariants).map((invariant) => (
                <Invariant key={invariant.name} storeId={storeId} checked={invariant} />
              ))}
            </ul>
          </>
        )}
      </Found>
      <How />
    </Page>
  );
};
