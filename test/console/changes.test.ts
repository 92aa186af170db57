import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems } from '../support/browser.ts';
import { consoleOf } from '../support/console-sign-in.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { eventually } from '../support/eventually.ts';
import { browserAvailable } from '../support/launch-browser.ts';

describe.skipIf(!browserAvailable())('the changes of a store', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await openConsoleWorld();
    await world.app.admin('patch', `/admin/stores/${world.store.id}`).send({ name: 'Renamed shop' }).expect(200);
  });
  afterAll(() => world.close());

  it('a change says who asked for it, over which way, and what was there before and after', async () => {
    const page = await world.open('/changes');
    await page.getByRole('row', { name: /Change a store.*Owner.*API.*200/ }).waitFor();
    await page.getByRole('link', { name: 'Change a store' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('heading', { name: 'After' }).waitFor();
    expect(await drawer.locator('section', { hasText: 'Before' }).first().textContent()).not.toContain('Renamed shop');
    expect(await drawer.locator('section', { hasText: 'After' }).last().textContent()).toContain('Renamed shop');
    await drawer.getByText('127.0.0.1').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expectNoProblems(page);
    await page.context().close();
  });

  describe('what was refused', () => {
    beforeAll(async () => {
      const { app, store } = world;
      const other = await app.aStore('other.example');
      const { body } = await app
        .admin('post', '/admin/operators')
        .send({ name: 'Lin', role: 'operator', storeIds: [other.id] })
        .expect(201);
      const { id } = body as { id: string };
      const issued = await app.admin('post', `/admin/operators/${id}/tokens`).send({ name: 'x' }).expect(201);
      const { token } = issued.body as { token: string };
      const change = () => request(app.adminUrl).patch(`/admin/stores/${store.id}`).send({ name: 'Never' });
      await change().set('Authorization', `Bearer ${token}`).expect(404);
      await consoleOf(app).signIn({ token: 'hunter2' }).expect(401);
      await eventually(async () => {
        const listed = await app.admin('get', '/admin/audit?refused=1').expect(200);
        expect(listed.body).toMatchObject({ items: [{ outcome: { status: 401 } }, { outcome: { status: 404 } }] });
      });
    });

    it('is marked among the changes of a store, and shown alone, with the reason in words', async () => {
      const page = await world.open('/changes');
      await page.getByRole('row', { name: /Change a store.*Owner.*200/ }).waitFor();
      await page.getByRole('group', { name: 'Changes' }).getByRole('button', { name: 'Refused' }).click();
      await page.getByRole('row', { name: /Change a store.*Owner.*200/ }).waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /Change a store.*limited to other stores.*Lin.*Refused/ }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByText('limited to other stores').waitFor();
      expect(await drawer.getByText('The change may have been made').count()).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      expectNoProblems(page);
      await page.context().close();
    });

    it('of no store is on the page of all changes, which the page of the stores leads to', async () => {
      const page = await world.open();
      await page.goto('/console/stores');
      await page.getByRole('link', { name: 'All changes' }).click();
      await page.getByRole('row', { name: /Sign in with a token.*Unknown.*Refused/ }).waitFor();
      await page.getByRole('row', { name: /Change a store.*Lin.*Renamed shop.*Refused/ }).waitFor();
      await page.getByRole('row', { name: /Add an operator.*Owner.*201/ }).waitFor();
      await page.getByRole('button', { name: 'Refused' }).click();
      await page.getByRole('row', { name: /Add an operator/ }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Sign in with a token' }).click();
      await page.getByRole('dialog').getByText('Wrong, expired or used credentials').waitFor();
      expect(await page.content()).not.toContain('hunter2');
      expect(await axeViolations(page)).toEqual([]);
      expectNoProblems(page);
      await page.context().close();
    });
  });
});
