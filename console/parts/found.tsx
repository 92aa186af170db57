import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, use, type ReactNode } from 'react';

import { Skeleton } from './skeleton.tsx';
import { Failure } from './notice.tsx';

/** `former`: the answer to another filter or range, while the new one is read. `failed`: it could not be read again. */
type Standing = 'current' | 'former' | 'failed';

const StandingContext = createContext<Standing>('current');

interface FoundProps<T> {
  readonly query: UseQueryResult<T>;
  /** Lines of the skeleton before the first result. */
  readonly lines?: number;
  /** In place of the usual failure. Null leaves that one. */
  readonly failed?: (error: Error, retry: () => void) => ReactNode;
  readonly children: (data: T) => ReactNode;
}

/**
 * Shows the result of a query. A former result stays while the query runs: marked where it answers
 * something else, and below the failure where the query failed.
 */
export const Found = <T,>({ query, lines = 3, failed, children }: FoundProps<T>) => {
  const { data, error, isPending, isPlaceholderData, refetch } = query;
  const retry = (): void => void refetch();
  const standing = error !== null ? 'failed' : isPlaceholderData ? 'former' : 'current';
  return (
    <>
      {isPending && <Skeleton lines={lines} />}
      {error !== null && (failed?.(error, retry) ?? <Failure error={error} retry={retry} />)}
      {data !== undefined && (
        <StandingContext value={standing}>
          <div className="found-data" aria-busy={isPlaceholderData}>
            {children(data)}
          </div>
        </StandingContext>
      )}
    </>
  );
};

interface ClaimProps {
  /** Content below the answer to something else. */
  readonly former?: ReactNode;
  readonly children: ReactNode;
}

/** A statement that is valid only for the present: that there is nothing, or that all is well. */
export const Claim = ({ former = <Skeleton />, children }: ClaimProps) => {
  const standing = use(StandingContext);
  if (standing === 'former') return former;
  return standing === 'current' && children;
};
