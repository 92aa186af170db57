import { Select } from './field.tsx';
import { periodOf, PERIODS, rangeText, sinceOf, type Range } from './periods.ts';

/** In the place of a period. */
const OTHER = 'other';

interface PeriodProps {
  readonly since: string | undefined;
  readonly until?: string | undefined;
  readonly onChange: (since: string | undefined) => void;
}

/** Since when: a period that ends now. Another range, which a link has chosen, is shown as it is. */
export const Period = ({ since, until, onChange }: PeriodProps) => {
  const range: Range = { since, until };
  const period = periodOf(range, Date.now());
  return (
    <Select
      label="Time"
      options={period === null ? [...PERIODS, [OTHER, rangeText(range)] as const] : PERIODS}
      chosen={period ?? OTHER}
      onChange={(chosen) => onChange(sinceOf(chosen, Date.now()))}
    />
  );
};
