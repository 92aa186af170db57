import type { Obstacle } from './deliverability.ts';

/**
 * Reasons against an attempt that somebody asks for. An open breaker does not forbid it, and a lost
 * scope keeps back the deliveries of its types alone.
 */
const WHY_NOT_TRIED: Readonly<Partial<Record<Obstacle, string>>> = {
  deactivated: 'The subscription is deactivated. Reactivate it first.',
  app_suspended: 'The app is suspended. Resume the app first.',
  app_uninstalled: 'The app is uninstalled. Nothing is sent to it.',
  store_inactive: 'The store is inactive. Activate the store first.',
  no_signing_secret: 'There is no secret to sign the delivery with. Rotate the signing secret first.',
  paused_by_merchant: 'The subscription is paused. Resume it first.',
} satisfies Record<Exclude<Obstacle, 'scope_lost' | 'paused_after_failures'>, string>;

export const whyNotTried = (obstacles: readonly Obstacle[]): string | null =>
  obstacles.map((obstacle) => WHY_NOT_TRIED[obstacle]).find((words) => words !== undefined) ?? null;
