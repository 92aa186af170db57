import { Choice } from '../../parts/field.tsx';
import { RANGE_NAMES, type RangeName } from './ranges.ts';

const OPTIONS = RANGE_NAMES.map((name) => [name, name] as const);

interface RangeChoiceProps {
  readonly chosen: RangeName;
  readonly onChange: (range: RangeName) => void;
}

export const RangeChoice = ({ chosen, onChange }: RangeChoiceProps) => (
  <Choice label="Time" options={OPTIONS} chosen={chosen} onChange={onChange} />
);
