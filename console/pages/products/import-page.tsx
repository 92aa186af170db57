import { getRouteApi, Link, useBlocker } from '@tanstack/react-router';

import { FormDialog } from '../../parts/form.tsx';
import { Failure, Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { ChooseFile } from './choose-file.tsx';
import { CountFigures, ImportProgress } from './import-progress.tsx';
import { ImportResult } from './import-result.tsx';
import { useImport, type ImportState } from './use-import.ts';

const route = getRouteApi('/inside/stores/$storeId/import');

/** An import ends with its page, so the reader is asked before they leave. */
const Leaving = ({ isRunning }: { readonly isRunning: boolean }) => {
  const blocker = useBlocker({ shouldBlockFn: () => isRunning, enableBeforeUnload: isRunning, withResolver: true });
  if (blocker.status !== 'blocked') return null;
  return (
    <FormDialog
      title="The import is not finished"
      action="Leave and cancel the import"
      cancel="Stay"
      isDanger
      isBusy={false}
      onSubmit={blocker.proceed}
      onClose={blocker.reset}
    >
      <p>Leaving this page cancels the import. Products imported so far are kept.</p>
    </FormDialog>
  );
};

type Stopped = Extract<ImportState, { phase: 'failed' | 'cancelled' }>;

const StoppedImport = ({ state }: { readonly state: Stopped }) => (
  <>
    {state.phase === 'failed' ? (
      <Failure error={state.error} />
    ) : (
      <Notice tone="warn" title="The import is cancelled">
        What was imported before stays. You can import the same file again: what is there already does not change.
      </Notice>
    )}
    {state.counts !== null && <CountFigures counts={state.counts} />}
  </>
);

export const ImportPage = () => {
  const { storeId } = route.useParams();
  const { state, start, cancel, reset } = useImport(storeId);
  return (
    <Page
      title="Import products"
      intro="Import a catalogue. Invalid lines are reported and skipped, and the rest is imported."
      actions={
        <Link to="/stores/$storeId/products" params={{ storeId }} className="button">
          Catalogue
        </Link>
      }
    >
      {(state.phase === 'failed' || state.phase === 'cancelled') && <StoppedImport state={state} />}
      {state.phase !== 'running' && state.phase !== 'done' && <ChooseFile onChoose={(file) => void start(file)} />}
      {state.phase === 'running' && <ImportProgress state={state} onCancel={cancel} />}
      {state.phase === 'done' && <ImportResult storeId={storeId} report={state.report} onAgain={reset} />}
      {state.phase === 'idle' && (
        <ul className="bullets mute">
          <li>Products are matched by id, slug or former slug. Importing the same file twice changes nothing.</li>
          <li>A missing column or field keeps its stored value.</li>
          <li>Each change is an event, so subscribed apps are notified.</li>
        </ul>
      )}
      <Leaving isRunning={state.phase === 'running'} />
    </Page>
  );
};
