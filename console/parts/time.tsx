import { useSyncExternalStore } from 'react';

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const year = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

const localText = (at: Date, now: Date): string => {
  if (at.toDateString() === now.toDateString()) return time.format(at);
  const day = at.getFullYear() === now.getFullYear() ? date : year;
  return `${day.format(at)}, ${time.format(at)}`;
};

const TITLE = 'UTC: ';

/** A time in the reader's zone. Its UTC is shown on hover. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={TITLE + at} className="num">
    {localText(new Date(at), new Date())}
  </time>
);

const ticks = new Set<() => void>();
let timer: number | undefined;
let second = Math.floor(Date.now() / 1000);
const subscribe = (tick: () => void): (() => void) => {
  ticks.add(tick);
  timer ??= window.setInterval(() => {
    second = Math.floor(Date.now() / 1000);
    for (const each of ticks) each();
  }, 1_000);
  return () => {
    ticks.delete(tick);
    if (ticks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The present second since the epoch. What uses it is drawn again every second. */
export const useSecond = (): number => useSyncExternalStore(subscribe, () => second);

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Seconds as their two largest units: `2 h 5 min`. */
export const spanText = (seconds: number): string => {
  const whole = Math.max(Math.round(seconds), 0);
  const first = UNITS.findIndex(([length]) => whole >= length);
  if (first < 0) return '0 s';
  const [[length, unit], next] = [UNITS[first] ?? UNITS[3], UNITS[first + 1]];
  const rest = next ? Math.floor((whole % length) / next[0]) : 0;
  const head = `${Math.floor(whole / length)} ${unit}`;
  return next && rest > 0 ? `${head} ${rest} ${next[1]}` : head;
};

/** The clock of the server may be a little ahead. */
const AHEAD_SECONDS = 2;
const JUST_NOW_SECONDS = 5;
const MONTH_SECONDS = 30 * 86_400;

/** From a minute on, seconds say nothing: fifty rows would change with each of them. */
const coarse = (seconds: number): number => (seconds < 60 ? seconds : Math.floor(seconds / 60) * 60);

/** Words for a time that is this many seconds away; negative is the past. What is long ago has its date. */
const agoText = (at: string, away: number): string => {
  if (away > AHEAD_SECONDS) return `in ${spanText(coarse(away))}`;
  if (away > -JUST_NOW_SECONDS) return 'just now';
  return away < -MONTH_SECONDS ? year.format(new Date(at)) : `${spanText(coarse(-away))} ago`;
};

/** `5 min ago` or `in 5 min`, kept up to date: drawn again when its words change. */
export const Ago = ({ at }: { readonly at: string }) => {
  const text = useSyncExternalStore(subscribe, () => agoText(at, Date.parse(at) / 1000 - second));
  return (
    <time dateTime={at} title={`${localText(new Date(at), new Date())}\n${TITLE}${at}`} className="num">
      {text}
    </time>
  );
};

const two = (value: number): string => String(value).padStart(2, '0');

/** Seconds as a clock: `59:04`, `23:59:04`, `6 d 23:59:04`. */
const clockText = (seconds: number): string => {
  const whole = Math.max(Math.ceil(seconds), 0);
  const [days, hours] = [Math.floor(whole / 86_400), Math.floor((whole % 86_400) / 3_600)];
  const rest = `${two(Math.floor((whole % 3_600) / 60))}:${two(whole % 60)}`;
  if (days > 0) return `${days} d ${two(hours)}:${rest}`;
  return hours > 0 ? `${two(hours)}:${rest}` : rest;
};

interface CountdownProps {
  readonly to: string;
  /** In place of the clock when the time has come. */
  readonly done?: string;
}

/** The time that remains until then, second by second. */
export const Countdown = ({ to, done = 'now' }: CountdownProps) => {
  const away = Date.parse(to) / 1000 - useSecond();
  return (
    <time dateTime={to} title={`${localText(new Date(to), new Date())}\n${TITLE}${to}`} className="num">
      {away > 0 ? clockText(away) : done}
    </time>
  );
};
