// Written by `npm run openapi`. Do not edit.
export const TYPES_BY_HEADING = {
  "Orders": [
    "order.created",
    "order.paid",
    "order.shipped",
    "order.cancelled",
    "order.refunded"
  ],
  "Catalogue": [
    "product.created",
    "product.updated",
    "product.deleted",
    "inventory.updated",
    "category.created",
    "category.updated",
    "category.deleted",
    "tax_class.created",
    "tax_class.updated",
    "collection.created",
    "collection.updated",
    "collection.deleted"
  ],
  "Custom data and media": [
    "metaobject.created",
    "metaobject.updated",
    "metaobject.deleted",
    "media.import_completed",
    "media.import_failed"
  ],
  "Operations (merchant only)": [
    "app.installed",
    "app.scopes_changed",
    "app.suspended",
    "app.resumed",
    "app.uninstalled",
    "subscription.failing",
    "subscription.recovered",
    "subscription.deactivated",
    "delivery.exhausted"
  ]
} as const;
