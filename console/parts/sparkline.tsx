const WIDTH = 3;
const GAP = 1;
const HEIGHT = 20;
/** A step that is not empty is seen beside one of thousands. */
const LEAST = 2;

interface SparklineProps {
  readonly values: readonly number[];
  /** Description for people who cannot see it. */
  readonly label: string;
}

/** Small bars, one a step: when something happened, and how much of it beside the rest. */
export const Sparkline = ({ values, label }: SparklineProps) => {
  const most = Math.max(...values, 1);
  return (
    <svg className="sparkline" width={values.length * (WIDTH + GAP) - GAP} height={HEIGHT} role="img" aria-label={label}>
      {values.map((value, step) => {
        const height = value === 0 ? 1 : Math.max((value / most) * HEIGHT, LEAST);
        return (
          <rect
            key={step}
            className={value === 0 ? 'none' : undefined}
            x={step * (WIDTH + GAP)}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
          />
        );
      })}
    </svg>
  );
};
