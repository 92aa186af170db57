import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { INCIDENT_KINDS, type IncidentKind } from '../../src/domain/insight/incident-rules.ts';
import { root } from '../architecture/source.ts';
import { openApp, type OpenApp } from '../support/app.ts';

const textOf = (name: string): string => readFileSync(join(root, 'deploy/monitoring', name), 'utf8');

/** The metrics that an expression names, without the suffix of a histogram's series. */
const namedIn = (text: string): string[] => {
  const names = text.match(/\b(?:tenon|nodejs|process)_\w+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))].sort();
};

interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}

describe('the hosting files name only metrics that /metrics has', () => {
  let server: OpenApp;
  let metrics: Set<string>;
  beforeAll(async () => {
    server = await openApp();
    const { text } = await server.admin('get', '/metrics').expect(200);
    metrics = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  });
  afterAll(() => server.close());

  it('in the expressions of the alert rules', () => {
    const expressions = textOf('alerts.yaml').replaceAll(/^ *(- name|- alert|summary|action|labels):.*$/gm, '');
    const named = namedIn(expressions);
    expect(named).toContain('tenon_webhook_oldest_due_seconds');
    expect(named.filter((name) => !metrics.has(name))).toEqual([]);
  });

  it('in the panels of the dashboard, and every metric of Tenon is on one', () => {
    const { panels } = JSON.parse(textOf('dashboard.json')) as { panels: readonly Panel[] };
    const named = namedIn(panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n'));
    expect(named.filter((name) => !metrics.has(name))).toEqual([]);
    expect([...metrics].filter((name) => name.startsWith('tenon_') && !named.includes(name))).toEqual([]);
  });

  it('each kind of incident has one alert, so that nobody is paged twice', () => {
    const OWN: Readonly<Record<IncidentKind, string>> = {
      receiver_failing: 'TenonBreakersOpen',
      receiver_deactivated: 'TenonIncident',
      refusals: 'TenonIncident',
      deliveries_late: 'TenonDeliveriesLate',
      product_import_failed: 'TenonIncident',
      media_imports_failed: 'TenonIncident',
      work_stopped: 'TenonNoWorker',
      database_away: 'TenonDatabaseAway',
      redis_away: 'TenonQueueAway',
      keys_unopened: 'TenonKeyMissing',
    };
    const rules = textOf('alerts.yaml');
    const [, general = ''] = /- alert: TenonIncident\n[^]*?kind=~"([\w|]+)"/.exec(rules) ?? [];
    expect(general.split('|')).toEqual(INCIDENT_KINDS.filter((kind) => OWN[kind] === 'TenonIncident'));
    for (const alert of Object.values(OWN)) expect(rules).toContain(`- alert: ${alert}\n`);
  });

  it('and each alert has a test in which it fires and one in which it does not', () => {
    const alerts = [...textOf('alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
    const tests = textOf('alerts.test.yaml');
    expect(alerts.length).toBeGreaterThan(10);
    const fires = alerts.filter((name) => new RegExp(`alertname: ${name}\\n *exp_alerts:\\n`).test(tests));
    const quiet = alerts.filter((name) => tests.includes(`alertname: ${name}, exp_alerts: []`));
    expect([fires, quiet]).toEqual([alerts, alerts]);
  });
});
