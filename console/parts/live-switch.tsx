import type { LiveState } from '../api/live.ts';

const WORDS: Readonly<Record<LiveState, string>> = { connecting: 'Connecting', open: 'Live', lost: 'Connection lost' };

interface LiveSwitchProps {
  readonly isOn: boolean;
  readonly state: LiveState;
  /** Whether the page waits for the reader, who has chosen rows for example. */
  readonly hold?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Whether the page follows what happens. */
export const LiveSwitch = ({ isOn, state, hold = false, onChange }: LiveSwitchProps) => (
  <button type="button" className="button" role="switch" aria-checked={isOn} aria-label="Live" onClick={() => onChange(!isOn)}>
    <span className={`live-dot ${isOn && !hold ? state : ''}`} />
    {isOn && !hold ? WORDS[state] : 'Paused'}
  </button>
);
