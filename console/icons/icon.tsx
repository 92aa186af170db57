import type { SVGProps } from 'react';

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'children' | 'd'> {
  /** In pixels. */
  readonly size: number;
}

export type Icon = (props: IconProps) => React.JSX.Element;

/** A drawing on a field of 24 by 24, in the colour of the text around it. */
export const icon =
  (path: string): Icon =>
  ({ size, ...rest }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      <path d={path} />
    </svg>
  );
