import uPlot from 'uplot';

import { axisClock } from './chart-axis.ts';
import { axisFormat } from './chart-words.ts';

export interface Series {
  readonly name: string;
  /** A colour of style/tokens.css without its dashes: `ok`. */
  readonly colour: string;
  /** Null where there is nothing to show: of lines alone. */
  readonly values: readonly (number | null)[];
}

export const HEIGHT = 180;

/** Each series on top of those before it, the highest first: so the lower ones are painted over it. */
const stacked = (series: readonly Series[], length: number): { name: string; colour: string; values: number[] }[] => {
  const sums = new Array<number>(length).fill(0);
  return series
    .map(({ name, colour, values }) => ({
      name,
      colour,
      values: values.map((value, index) => (sums[index] = (sums[index] ?? 0) + (value ?? 0))),
    }))
    .reverse();
};

/** A bar that is not empty is seen beside one of thousands. */
const LEAST = 0.012;

/** Each value at least this share of the highest sum, so that what failed is seen. */
const visible = (series: readonly Series[], length: number): readonly Series[] => {
  const sums = Array.from({ length }, (_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const least = Math.max(...sums, 0) * LEAST;
  return series.map((one) => ({
    ...one,
    values: one.values.map((value) => (value === null || value === 0 ? 0 : Math.max(value, least))),
  }));
};

/** A token as the canvas can paint it. Its own value is a pair of a light and a dark colour. */
const paintedIn = (box: HTMLElement) => {
  const probe = box.appendChild(document.createElement('i'));
  return {
    colour: (name: string): string => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    },
    done: () => probe.remove(),
  };
};

export interface Drawn {
  /** Seconds since the epoch at which each step begins. */
  readonly at: readonly number[];
  readonly stepSeconds: number;
  /** Bars are stacked in this order, the first at the bottom. */
  readonly series: readonly Series[];
  readonly kind: 'bars' | 'lines';
  /** The top of the axis, where it is always the same. */
  readonly top: number | undefined;
  /** A value as the axis shows it. */
  readonly unit: (value: number) => string;
}

interface Pointing {
  readonly point: (index: number | null) => void;
  /** Handles a click on a step. The browser shows the title under the pointer. */
  readonly pick: ((index: number) => void) | undefined;
  readonly pickTitle: string;
}

export const draw = (
  box: HTMLElement,
  { at, stepSeconds, series, kind, top, unit }: Drawn,
  { point, pick, pickTitle }: Pointing,
): uPlot => {
  const { colour, done } = paintedIn(box);
  const font = `12px ${getComputedStyle(box).fontFamily}`;
  const axis = { stroke: colour('mute'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false }, font };
  const layers = (kind === 'lines' ? series : stacked(visible(series, at.length), at.length)).map((layer) => ({
    ...layer,
    colour: colour(layer.colour),
  }));
  done();
  const bars = uPlot.paths.bars?.({ size: [0.8, 42] });
  const format = axisFormat(at, stepSeconds);
  return new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      ...axisClock(stepSeconds),
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      hooks: {
        setCursor: [({ cursor: { idx } }) => point(idx ?? null)],
        ready: [
          (plot) => {
            if (!pick) return;
            plot.over.style.cursor = 'pointer';
            plot.over.title = pickTitle;
            plot.over.addEventListener('click', ({ offsetX }) => pick(plot.posToIdx(offsetX)));
          },
        ],
      },
      legend: { show: false },
      padding: [8, 18, 0, 0],
      axes: [
        {
          ...axis,
          size: 28,
          space: 64,
          grid: { show: false },
          values: (_plot, splits) => splits.map((split) => format.format(split * 1000)),
        },
        {
          ...axis,
          size: 56,
          values: (_plot, splits) => splits.map(unit),
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7],
        },
      ],
      scales: {
        x: { range: (_plot, min, max) => [min - stepSeconds / 2, max + stepSeconds / 2] },
        y: { range: (_plot, _min, max) => [0, top ?? Math.max(max * 1.05, 4)] },
      },
      series: [
        {},
        ...layers.map(({ name, colour: fill }) => ({
          label: name,
          stroke: fill,
          ...(kind === 'lines'
            ? // A step between two without an attempt is a point by itself.
              { width: 2, points: { show: true, size: 5, fill, stroke: fill } }
            : { fill, width: 0, points: { show: false }, ...(bars && { paths: bars }) }),
        })),
      ],
    },
    [[...at], ...layers.map(({ values }) => [...values])],
    box,
  );
};
