import { ApiError } from '../../api/problem.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/notice.tsx';

interface NotShownProps {
  readonly error: Error;
  readonly what: 'event' | 'delivery' | 'subscription';
  readonly retry: () => void;
}

/** Why a drawer or a page has nothing to show: what was deleted for its age does not come back. */
export const NotShown = ({ error, what, retry }: NotShownProps) => {
  if (!(error instanceof ApiError) || error.status !== 404) return <Failure error={error} retry={retry} />;
  return (
    <Empty title={`No such ${what}`}>
      {what === 'subscription'
        ? 'It was deleted, or its app was uninstalled.'
        : 'Check the id and the store. Events and deliveries are deleted after a time set by the operator.'}
    </Empty>
  );
};
