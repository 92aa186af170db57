import type { IRouter } from 'express';

import type { Route } from '../route.ts';
import { RequestContext } from './context.ts';
import type { Backend } from './context.ts';
import { otherMethods } from './methods.ts';
import { serve } from './serve.ts';

/**
 * Mounts the routes, each path once: methods that the path does not have are refused there, and a literal path is never
 * taken for a parameter of a later one. A path that no route matches falls through.
 */
export const mount = (router: IRouter, routes: readonly Route[], backend: Backend): void => {
  for (const path of new Set(routes.map((route) => route.path))) {
    const own = routes.filter((route) => route.path === path);
    const mounted = router.route(path);
    for (const route of own) {
      const name = `${route.method.toUpperCase()} ${path}`;
      mounted[route.method]((request, response, next) => {
        const context = new RequestContext(route, backend, request, response);
        context.notes.route = name;
        serve(context).catch(next);
      });
    }
    const methods = own.map((route) => route.method.toUpperCase());
    mounted.all(otherMethods(methods, own[0]?.errors ?? 'plain'));
  }
};
