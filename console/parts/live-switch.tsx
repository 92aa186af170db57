import type { LiveState } from '../api/live.ts';

const WORDS: Readonly<Record<LiveState, string>> = { connecting: 'Connecting', open: 'Live', lost: 'Connection lost' };

interface LiveSwitchProps {
  readonly isOn: boolean;
  readonly state: LiveState;
  readonly onChange: (isOn: boolean) => void;
}

/** Whether the page follows what happens. */
export const LiveSwitch = ({ isOn, state, onChange }: LiveSwitchProps) => (
  <button type="button" className="button" role="switch" aria-checked={isOn} aria-label="Live" onClick={() => onChange(!isOn)}>
    <span className={`live-dot ${isOn ? state : ''}`} />
    {isOn ? WORDS[state] : 'Paused'}
  </button>
);
