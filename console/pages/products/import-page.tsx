import { getRouteApi, Link, useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';

import { FormDialog } from '../../parts/form.tsx';
import { May } from '../../parts/may.tsx';
import { Failure, Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { ChooseFile } from './choose-file.tsx';
import { CountFigures, ImportProgress, OtherImport } from './import-progress.tsx';
import { ImportHistory } from './import-history.tsx';
import { ImportResult } from './import-result.tsx';
import { useImport, type ImportCounts, type ImportState } from './use-import.ts';

const route = getRouteApi('/inside/stores/$storeId/import');

/** An import ends with its page, so the reader is asked before they leave. */
const Leaving = ({ isRunning, isDryRun }: { readonly isRunning: boolean; readonly isDryRun: boolean }) => {
  const blocker = useBlocker({ shouldBlockFn: () => isRunning, enableBeforeUnload: isRunning, withResolver: true });
  const isOver = blocker.status === 'blocked' && !isRunning;
  // The result is on the page that the reader was about to leave.
  useEffect(() => {
    if (isOver) blocker.reset();
  }, [isOver, blocker]);
  if (blocker.status !== 'blocked' || isOver) return null;
  return (
    <FormDialog
      title={isDryRun ? 'The dry run is not finished' : 'The import is not finished'}
      action={isDryRun ? 'Leave and cancel the dry run' : 'Leave and cancel the import'}
      cancel="Stay"
      isDanger
      isBusy={false}
      onSubmit={blocker.proceed}
      onClose={blocker.reset}
    >
      <p>
        {isDryRun
          ? 'Leaving this page cancels the dry run. It writes nothing.'
          : 'Leaving this page cancels the import. Products imported so far are kept.'}
      </p>
    </FormDialog>
  );
};

type Stopped = Extract<ImportState, { phase: 'failed' | 'cancelled' }>;

const StoppedImport = ({ state, counts }: { readonly state: Stopped; readonly counts: ImportCounts | null }) => (
  <>
    {state.phase === 'failed' ? (
      <Failure error={state.error} />
    ) : (
      <Notice tone="warn" title={state.isDryRun ? 'The dry run is cancelled' : 'The import is cancelled'}>
        {!state.isDryRun &&
          'What was imported before stays. You can import the same file again: what is there already does not change.'}
      </Notice>
    )}
    {counts !== null && <CountFigures counts={counts} />}
  </>
);

export const ImportPage = () => {
  const { storeId } = route.useParams();
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  const { state, counts, other, start, cancel, reset } = useImport(storeId);
  return (
    <Page
      title="Import products"
      intro="Import a catalogue. A product with an invalid row is reported and left as it is, and the rest is imported."
      actions={
        <Link to="/stores/$storeId/products" params={{ storeId }} className="button">
          Catalogue
        </Link>
      }
    >
      {(state.phase === 'failed' || state.phase === 'cancelled') && <StoppedImport state={state} counts={counts} />}
      {state.phase !== 'running' && state.phase !== 'done' && (
        <May>
          <ChooseFile onChoose={(chosen) => void start(chosen)} />
        </May>
      )}
      {state.phase === 'running' && <ImportProgress state={state} counts={counts} onCancel={cancel} />}
      {state.phase === 'done' && (
        <ImportResult
          storeId={storeId}
          report={state.report}
          isDryRun={state.isDryRun}
          onImport={(allowsRemovals) => void start({ file: state.file, charset: state.charset, isDryRun: false, allowsRemovals })}
          onAgain={reset}
        />
      )}
      {state.phase === 'idle' && (
        <ul className="bullets mute">
          <li>Products are matched by id, slug or former slug. Importing the same file twice changes nothing.</li>
          <li>A missing column and a blank cell keep the stored value.</li>
          <li>An import that would remove many variants asks you first.</li>
          <li>Each change is an event, so subscribed apps are notified.</li>
        </ul>
      )}
      {other !== null && <OtherImport frame={other} />}
      <ImportHistory
        storeId={storeId}
        after={after}
        go={(place) => void navigate({ search: place === undefined ? {} : { after: place }, resetScroll: false })}
      />
      <Leaving isRunning={state.phase === 'running'} isDryRun={state.phase !== 'idle' && state.isDryRun} />
    </Page>
  );
};
