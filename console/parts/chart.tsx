import { useEffect, useRef, useState } from 'react';
import 'uplot/dist/uPlot.min.css';

import { draw, HEIGHT, type Drawn } from './chart-draw.ts';
import { shownOf, stepFormat } from './chart-words.ts';

export type { Series } from './chart-draw.ts';

interface ChartProps extends Omit<Drawn, 'kind' | 'top' | 'unit'> {
  /** Description for people who cannot see the chart. */
  readonly label: string;
  readonly kind?: Drawn['kind'];
  readonly top?: number;
  readonly unit?: Drawn['unit'];
  /** Called with the second at which the clicked step begins. */
  readonly onPick?: (second: number) => void;
  /** Describes the click. */
  readonly pickTitle?: string;
}

const plain = (value: number): string => value.toLocaleString();

/** Bars, or lines, over time, with a legend that has the sums, or the numbers of the step under the pointer. */
export const Chart = ({
  label,
  at,
  series,
  stepSeconds,
  kind = 'bars',
  top,
  unit = plain,
  onPick,
  pickTitle = '',
}: ChartProps) => {
  const box = useRef<HTMLDivElement>(null);
  const pick = useRef(onPick);
  const [pointed, setPointed] = useState<number | null>(null);
  const canPick = onPick !== undefined;
  useEffect(() => {
    pick.current = onPick;
  });
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const picked = (index: number): void => {
      const second = at[index];
      if (second !== undefined) pick.current?.(second);
    };
    const make = () =>
      draw(
        element,
        { at, series, stepSeconds, kind, top, unit },
        { point: setPointed, pick: canPick ? picked : undefined, pickTitle },
      );
    let plot = make();
    const again = (): void => {
      plot.destroy();
      plot = make();
    };
    // The canvas keeps the colours of the theme that it was drawn in.
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', again);
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      theme.removeEventListener('change', again);
      resized.disconnect();
      plot.destroy();
    };
  }, [at, series, stepSeconds, kind, top, unit, canPick, pickTitle]);
  // Under the pointer, the legend has the numbers of that step.
  const second = pointed === null ? undefined : at[pointed];
  return (
    <figure className="stack">
      <div ref={box} className="chart" role="img" aria-label={label} />
      <figcaption className="legend">
        {series.map(({ name, colour, values }) => (
          <span key={name}>
            <i style={{ color: `var(--${colour})` }} />
            {name} <b className="num">{shownOf(values, second === undefined ? null : pointed, { kind, unit })}</b>
          </span>
        ))}
        <span className="mute">
          {second !== undefined && stepFormat(stepSeconds).format(second * 1000)}
          {second === undefined && kind === 'bars' && 'in all'}
        </span>
      </figcaption>
    </figure>
  );
};
