import type { ReactNode } from 'react';

import { Check, Circle, CircleSlash, X } from '../../icons/index.ts';
import type { RefusedRequest } from '../../api/types.ts';
import { checkStepsOf, type CheckState } from './check-steps.ts';

const STATES: Readonly<Record<CheckState, readonly [icon: typeof Check, className: string, words: string]>> = {
  passed: [Check, 'passed', 'Passed'],
  refused: [X, 'refused', 'Refused here'],
  'not reached': [Circle, 'away', 'Not reached'],
  'not needed': [CircleSlash, 'away', 'Not needed by this route'],
};

interface CheckStepsProps {
  readonly request: RefusedRequest;
  /** Content at the step that refused. */
  readonly children: ReactNode;
}

/** Lists the checks: how far the request came, and where it was refused. */
export const CheckSteps = ({ request, children }: CheckStepsProps) => (
  <ol className="check-steps" aria-label="Checks in their order">
    {checkStepsOf(request).map(({ check, name, passes, state }) => {
      const [Icon, className, words] = STATES[state];
      return (
        <li key={check} className={className} aria-current={state === 'refused' ? 'step' : undefined}>
          <span className="check-step-icon">
            <Icon size={13} strokeWidth={2.5} aria-hidden />
          </span>
          <div className="stack">
            <div className="check-step-head">
              <strong>{name}</strong>
              <span className="check-step-state">{words}</span>
            </div>
            {state === 'refused' ? children : <p className="mute">{passes}</p>}
          </div>
        </li>
      );
    })}
  </ol>
);
