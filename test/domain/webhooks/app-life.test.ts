import { describe, expect, it } from 'vitest';

import { lifeEvents, type LivingApp, type ReportedLife } from '../../../src/domain/webhooks/app-life.ts';

const now: LivingApp = {
  id: 'an-installation',
  storeId: 'a-store',
  name: 'App',
  domain: 'shop.test',
  isSandbox: false,
  scopes: ['read_orders', 'write_products'],
  status: 'Installed',
};
const types = (told: ReportedLife | null, changes: Partial<LivingApp> = {}) =>
  lifeEvents(told, { ...now, ...changes }).map(({ type }) => type);

describe('the events of an installation', () => {
  it('say first that it was installed, with its store and its scopes', () => {
    const { id, storeId, name, domain, isSandbox, scopes } = now;
    const data = { id, name, domain, isSandbox, scopes };
    expect(lifeEvents(null, now)).toEqual([{ storeId, type: 'app.installed', resourceId: id, origin: null, data }]);
  });
  it('say that it was suspended as well, where that came before the first event', () => {
    expect(types(null, { status: 'Suspended' })).toEqual(['app.installed', 'app.suspended']);
  });
  it('say nothing while it is as the last one said', () => {
    expect(types(now)).toEqual([]);
    expect(types({ ...now, status: 'Suspended' }, { status: 'Suspended' })).toEqual([]);
  });
  it.each<[ReportedLife['status'], ReportedLife['status'], string]>([
    ['Installed', 'Suspended', 'app.suspended'],
    ['Suspended', 'Installed', 'app.resumed'],
  ])('say after %s that it is %s: %s', (before, status, type) => {
    expect(types({ ...now, status: before }, { status })).toEqual([type]);
  });
  it('say that its scopes changed, also to fewer, or to others of the same number', () => {
    expect(types(now, { scopes: ['write_products'] })).toEqual(['app.scopes_changed']);
    expect(types(now, { scopes: ['read_content', 'write_products'] })).toEqual(['app.scopes_changed']);
    expect(types({ ...now, scopes: [] })).toEqual(['app.scopes_changed']);
  });
  it('say both, where both changed', () => {
    expect(types(now, { status: 'Suspended', scopes: [] })).toEqual(['app.scopes_changed', 'app.suspended']);
  });
});
