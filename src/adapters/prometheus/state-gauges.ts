import { Gauge, type Registry } from 'prom-client';

import { INCIDENT_KINDS, type IncidentKind } from '../../domain/insight/incident-rules.ts';

/** State of the node and its storage at the last look. Null where it could not be read. */
export interface StateFigures {
  /** The checks of /readyz, and whether each is ok. */
  readonly checks: Readonly<Record<string, boolean>> | null;
  /** The kinds of the open incidents, one for each. */
  readonly openIncidents: readonly IncidentKind[] | null;
  readonly clockSkewSeconds: number | null;
  /** Since the last backup by `tenon backup`. */
  readonly backupAgeSeconds: number | 'never' | null;
}

/** No alert takes what is not known for a number. */
export const gaugeValue = (figure: number | null): number => figure ?? NaN;

const countOf = (kinds: readonly IncidentKind[], kind: IncidentKind): number => kinds.filter((one) => one === kind).length;

export const createStateGauges = (registry: Registry): ((figures: StateFigures) => void) => {
  const checks = new Gauge({
    name: 'tenon_check_ok',
    help: 'The checks of /readyz: 1 if a check is ok, 0 if it is degraded or failing.',
    labelNames: ['check'] as const,
    registers: [registry],
  });
  const incidents = new Gauge({
    name: 'tenon_incidents_open',
    help: 'Open incidents, by kind.',
    labelNames: ['kind'] as const,
    registers: [registry],
  });
  const clockSkew = new Gauge({
    name: 'tenon_clock_skew_seconds',
    help: 'Seconds between the clocks of this machine and the database.',
    registers: [registry],
  });
  const backupAge = new Gauge({
    name: 'tenon_backup_age_seconds',
    help: 'Since the last backup of all stores by tenon backup. Absent where there is none.',
    registers: [registry],
  });
  // A gauge begins with 0.
  backupAge.remove();
  return (figures) => {
    for (const [check, isOk] of Object.entries(figures.checks ?? {})) checks.set({ check }, isOk ? 1 : 0);
    const { openIncidents } = figures;
    for (const kind of INCIDENT_KINDS) incidents.set({ kind }, gaugeValue(openIncidents && countOf(openIncidents, kind)));
    clockSkew.set(gaugeValue(figures.clockSkewSeconds));
    if (figures.backupAgeSeconds === 'never') backupAge.remove();
    else backupAge.set(gaugeValue(figures.backupAgeSeconds));
  };
};
