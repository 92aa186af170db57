import type { ReactNode } from 'react';

import type { Tone } from '../../parts/badge.tsx';
import { deliveriesText } from '../deliveries/words.ts';

/** An item that needs attention. */
export interface AttentionItem {
  readonly key: string;
  readonly tone: Tone;
  readonly word: string;
  readonly what: ReactNode;
  readonly why?: ReactNode;
}

interface Bounded {
  readonly count: number;
  readonly isComplete: boolean;
}

export const countText = ({ count, isComplete }: Bounded): string => `${isComplete ? '' : 'At least '}${deliveriesText(count)}`;

export type AppName = (id: string | null) => string;
