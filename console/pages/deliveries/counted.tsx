import type { RedeliveredMatching } from '../../api/types.ts';
import { WHY_NOT_SENDABLE, WHY_WAITING } from '../../../src/adapters/http/console/shared.ts';
import { Claim } from '../../parts/found.tsx';
import { deliveriesText } from './words.ts';

/** An incomplete count of 0 may have missed deliveries. */
export const isNothing = ({ deliveries, isComplete }: RedeliveredMatching): boolean => deliveries === 0 && isComplete;

export const countText = ({ deliveries, isComplete }: RedeliveredMatching): string =>
  `${isComplete ? '' : 'at least '}${deliveriesText(deliveries)}`;

/** Lists what a redelivery would send at once, what waits, and what cannot be sent, with the reasons. */
export const Counted = ({ counted }: { readonly counted: RedeliveredMatching }) => {
  const { held, refused } = counted;
  return (
    <>
      <p>
        {isNothing(counted) && refused.length === 0 && <Claim>No delivery matches now.</Claim>}
        {!isNothing(counted) && (
          <>
            <strong>{countText(counted)}</strong> can be queued again, each with the same id and body. What comes later is not
            included.
          </>
        )}
      </p>
      {held.map(({ reason, count }) => (
        <p key={reason} className="tone-warn">
          {deliveriesText(count)} of them will wait: {WHY_WAITING[reason].name}. {WHY_WAITING[reason].help}
        </p>
      ))}
      {refused.map(({ reason, count }) => (
        <p key={reason} className="tone-bad">
          {deliveriesText(count)} cannot be sent. {WHY_NOT_SENDABLE[reason]}
        </p>
      ))}
    </>
  );
};
