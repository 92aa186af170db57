import { route } from '../route.ts';
import { definitionRequest, definitionResponse } from './metaobject-definition.ts';
import { entryPage, typeParams } from './metaobject.ts';
import { pageQuery } from '../kit/page.ts';

export const metaobjectRoutes = [
  route
    .put('/admin/stores/:storeId/metaobject-definitions/:type', 'putMetaobjectDefinition')
    .admin('Metaobjects')
    .summary('Define a type', 'Creates or replaces the definition. Returns 409 if the change would make stored entries invalid.')
    .params(typeParams)
    .body(definitionRequest)
    .returns(200, definitionResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .example({
      body: { name: 'Color chart', fields: [{ key: 'hex', type: 'color', required: true }] },
      response: {
        type: 'color_chart',
        name: 'Color chart',
        fields: [{ key: 'hex', name: 'hex', type: 'color', required: true, list: false, validations: {} }],
      },
    })
    .handle((app, { params, body }) => app.putDefinition(params.storeId, params.type, body)),
  route
    .get('/admin/stores/:storeId/metaobjects/:type', 'listMetaobjectEntries')
    .admin('Metaobjects')
    .summary('List the entries of a type', 'Lists the entries of all installations, oldest first.')
    .params(typeParams)
    .query(pageQuery)
    .returns(200, entryPage)
    .refuses('not_found')
    .handle((app, { params, query }) => app.listEntries(params.storeId, params.type, query)),
];
