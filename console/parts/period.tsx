import { Select } from './field.tsx';

const HOUR_MS = 3_600_000;
const PERIODS = [
  ['', 'Any time'],
  ['1', 'Last hour'],
  ['24', 'Last 24 hours'],
  ['168', 'Last 7 days'],
] as const;

/** The periods are counted from now, so the one that was chosen is found by its length. */
const periodOf = (since: string | undefined): string => {
  if (since === undefined) return '';
  const hours = (Date.now() - Date.parse(since)) / HOUR_MS;
  return PERIODS.find(([length]) => length !== '' && hours <= Number(length) * 1.1)?.[0] ?? 'other';
};

interface PeriodProps {
  readonly since: string | undefined;
  readonly onChange: (since: string | undefined) => void;
}

/** Since when: a period that ends now. */
export const Period = ({ since, onChange }: PeriodProps) => {
  const period = periodOf(since);
  return (
    <Select
      label="Time"
      options={period === 'other' ? [...PERIODS, ['other', 'Since a chosen time'] as const] : PERIODS}
      chosen={period}
      onChange={(hours) => onChange(hours === '' ? undefined : new Date(Date.now() - Number(hours) * HOUR_MS).toISOString())}
    />
  );
};
