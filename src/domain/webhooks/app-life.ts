import type { LifeEventType, NewEvent } from './event.ts';
import type { Installation } from '../identity/installation.ts';

/** An installation of a platform app that has not ended. `status` is Suspended also while the app is. */
export interface LivingApp extends Pick<Installation, 'id' | 'storeId' | 'name' | 'scopes'> {
  readonly status: 'Installed' | 'Suspended';
  /** Domain of the store. */
  readonly domain: string;
  readonly isSandbox: boolean;
}

/** State of the app in the events so far. */
export type ReportedLife = Pick<LivingApp, 'status' | 'scopes'>;

const typesOf = (reported: ReportedLife | null, { status, scopes }: LivingApp): readonly LifeEventType[] => {
  const before = reported ?? { status: 'Installed', scopes };
  const hasOtherScopes = before.scopes.join() !== scopes.join();
  return [
    ...(reported === null ? ['app.installed' as const] : []),
    ...(hasOtherScopes ? ['app.scopes_changed' as const] : []),
    ...(before.status === status ? [] : [status === 'Suspended' ? ('app.suspended' as const) : ('app.resumed' as const)]),
  ];
};

/**
 * The events of what it has become since then. What came and went in between is not reported. The end is not among them: that event
 * commits with the uninstallation.
 */
export const lifeEvents = (reported: ReportedLife | null, now: LivingApp): readonly NewEvent[] => {
  const { id, storeId, name, domain, isSandbox, scopes } = now;
  const data = { id, name, domain, isSandbox, scopes };
  return typesOf(reported, now).map((type) => ({ storeId, type, resourceId: id, origin: null, data }));
};
