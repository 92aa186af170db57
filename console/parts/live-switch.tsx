import type { LiveState } from '../api/live.ts';

const WORDS: Readonly<Record<LiveState, string>> = { connecting: 'Connecting', open: 'Live', lost: 'Connection lost' };

interface LiveSwitchProps {
  readonly isOn: boolean;
  readonly state: LiveState;
  /** True while the page waits for the reader, who has selected rows for example. */
  readonly hold?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Lets the page follow the live stream. */
export const LiveSwitch = ({ isOn, state, hold = false, onChange }: LiveSwitchProps) => (
  <button type="button" className="button" role="switch" aria-checked={isOn} aria-label="Live" onClick={() => onChange(!isOn)}>
    <span className={`live-dot ${isOn && !hold ? state : ''}`} />
    {isOn && !hold ? WORDS[state] : 'Paused'}
  </button>
);
