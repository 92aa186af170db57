import type { ReactNode } from 'react';

import { Check, Circle, CircleSlash, X } from '../../icons/index.ts';
import type { RefusedRequest } from '../../api/types.ts';
import { ladderOf, type RungState } from './ladder.ts';

const STATES: Readonly<Record<RungState, readonly [icon: typeof Check, className: string, words: string]>> = {
  passed: [Check, 'passed', 'Passed'],
  refused: [X, 'refused', 'Refused here'],
  'not reached': [Circle, 'away', 'Not reached'],
  'not needed': [CircleSlash, 'away', 'Not needed by this route'],
};

interface RungsProps {
  readonly request: RefusedRequest;
  /** Content at the step that refused. */
  readonly children: ReactNode;
}

/** The ladder of checks: how far the request came, and where it was refused. */
export const Rungs = ({ request, children }: RungsProps) => (
  <ol className="rungs" aria-label="Checks in their order">
    {ladderOf(request).map(({ check, name, passes, state }) => {
      const [Icon, className, words] = STATES[state];
      return (
        <li key={check} className={className} aria-current={state === 'refused' ? 'step' : undefined}>
          <span className="rung-icon">
            <Icon size={13} strokeWidth={2.5} aria-hidden />
          </span>
          <div className="stack">
            <div className="rung-head">
              <strong>{name}</strong>
              <span className="rung-state">{words}</span>
            </div>
            {state === 'refused' ? children : <p className="mute">{passes}</p>}
          </div>
        </li>
      );
    })}
  </ol>
);
