// Written by `npm run client:types`. Do not edit.
export const EVENT_DATA = {
  "product.created": {
    "id": "019a0000-0000-7000-8000-000000000001",
    "origin": null,
    "product": {
      "id": "019a0000-0000-7000-8000-000000000001",
      "tenantId": "019a0000-0000-7000-8000-000000000099",
      "createdAt": "2026-11-21T09:30:00.000Z",
      "updatedAt": null,
      "deletedAt": null,
      "isDeleted": false,
      "name": "Dovetail saw",
      "slug": "dovetail-saw",
      "description": "Fifteen points an inch, filed for rip.",
      "metaTitle": "Dovetail saw, 280 mm",
      "metaDescription": null,
      "kind": "Physical",
      "status": "Active",
      "groupKey": null,
      "position": 1,
      "publishedAt": "2026-11-21T09:30:00.000Z",
      "purchaseCount": 31,
      "ratingAverage": 4.5,
      "ratingCount": 8,
      "refundable": true,
      "returnWindowDays": 30,
      "sizeGuideHtml": null,
      "tags": [
        "bestseller",
        "joinery"
      ],
      "categoryId": "019a0000-0000-7000-8000-000000000010",
      "category": {
        "id": "019a0000-0000-7000-8000-000000000010",
        "tenantId": "019a0000-0000-7000-8000-000000000099",
        "createdAt": "2026-11-21T09:30:00.000Z",
        "updatedAt": null,
        "deletedAt": null,
        "isDeleted": false,
        "name": "Saws",
        "slug": "saws",
        "parentId": null,
        "position": 1
      },
      "taxClassId": "019a0000-0000-7000-8000-000000000011",
      "taxClass": {
        "id": "019a0000-0000-7000-8000-000000000011",
        "tenantId": "019a0000-0000-7000-8000-000000000099",
        "createdAt": "2026-11-21T09:30:00.000Z",
        "updatedAt": null,
        "deletedAt": null,
        "isDeleted": false,
        "name": "Standard rate",
        "code": "standard",
        "isDefault": true
      },
      "countdownDiscountPercent": null,
      "countdownStartsAt": null,
      "countdownEndsAt": null,
      "downloadLimit": null,
      "downloadExpiryDays": null,
      "contentBlocks": [
        {
          "html": "<p>Oil it after use.</p>",
          "key": "care",
          "title": "Care"
        }
      ],
      "translations": {
        "de": {
          "contentBlocks": null,
          "description": null,
          "metaDescription": null,
          "metaTitle": null,
          "name": "Zinkensäge",
          "updatedAt": "2026-11-21T09:30:00.000Z"
        }
      },
      "bundleComponents": [],
      "digitalAssets": [],
      "media": [
        {
          "id": "019a0000-0000-7000-8000-000000000009",
          "tenantId": "019a0000-0000-7000-8000-000000000099",
          "createdAt": "2026-11-21T09:30:00.000Z",
          "updatedAt": null,
          "deletedAt": null,
          "isDeleted": false,
          "aiGenerated": false,
          "altText": "The saw on a bench",
          "assetId": null,
          "contentType": "image/jpeg",
          "position": 1,
          "productId": "019a0000-0000-7000-8000-000000000001",
          "productVariantId": null,
          "sizeBytes": 184320,
          "storageKey": "products/dovetail-saw.jpg",
          "url": "https://cdn.shop.example/products/dovetail-saw.jpg"
        }
      ],
      "options": [
        {
          "id": "019a0000-0000-7000-8000-000000000003",
          "tenantId": "019a0000-0000-7000-8000-000000000099",
          "createdAt": "2026-11-21T09:30:00.000Z",
          "updatedAt": null,
          "deletedAt": null,
          "isDeleted": false,
          "name": "Length",
          "position": 1,
          "productId": "019a0000-0000-7000-8000-000000000001",
          "translations": {
            "de": {
              "name": "Länge"
            }
          },
          "values": [
            {
              "id": "019a0000-0000-7000-8000-000000000004",
              "tenantId": "019a0000-0000-7000-8000-000000000099",
              "createdAt": "2026-11-21T09:30:00.000Z",
              "updatedAt": null,
              "deletedAt": null,
              "isDeleted": false,
              "position": 1,
              "productOptionId": "019a0000-0000-7000-8000-000000000003",
              "swatchHex": null,
              "swatchImageKey": null,
              "translations": {},
              "value": "280 mm"
            }
          ]
        }
      ],
      "personalizationFields": [
        {
          "id": "019a0000-0000-7000-8000-000000000012",
          "tenantId": "019a0000-0000-7000-8000-000000000099",
          "createdAt": "2026-11-21T09:30:00.000Z",
          "updatedAt": null,
          "deletedAt": null,
          "isDeleted": false,
          "key": "engraving",
          "label": "Engraving",
          "helpText": "On the back of the blade.",
          "placeholder": "Initials",
          "maxLength": 12,
          "minValue": null,
          "maxValue": null,
          "position": 1,
          "productId": "019a0000-0000-7000-8000-000000000001",
          "required": false,
          "surcharge": 5,
          "type": "Text",
          "options": [],
          "translations": {
            "de": {
              "helpText": null,
              "label": "Gravur",
              "placeholder": "Initialen",
              "optionLabels": null
            }
          }
        }
      ],
      "productCategories": [
        {
          "id": "019a0000-0000-7000-8000-000000000013",
          "tenantId": "019a0000-0000-7000-8000-000000000099",
          "createdAt": "2026-11-21T09:30:00.000Z",
          "updatedAt": null,
          "deletedAt": null,
          "isDeleted": false,
          "categoryId": "019a0000-0000-7000-8000-000000000010",
          "productId": "019a0000-0000-7000-8000-000000000001"
        }
      ],
      "specifications": [
        {
          "id": "019a0000-0000-7000-8000-000000000014",
          "tenantId": "019a0000-0000-7000-8000-000000000099",
          "createdAt": "2026-11-21T09:30:00.000Z",
          "updatedAt": null,
          "deletedAt": null,
          "isDeleted": false,
          "name": "Plate",
          "value": "0.5 mm",
          "position": 1,
          "productId": "019a0000-0000-7000-8000-000000000001",
          "translations": {}
        }
      ],
      "variants": [
        {
          "id": "019a0000-0000-7000-8000-000000000002",
          "tenantId": "019a0000-0000-7000-8000-000000000099",
          "createdAt": "2026-11-21T09:30:00.000Z",
          "updatedAt": null,
          "deletedAt": null,
          "isDeleted": false,
          "sku": "SAW-280",
          "currency": "EUR",
          "price": 62.5,
          "compareAtPrice": 70,
          "isOnSale": true,
          "barcode": "4006381333931",
          "productId": "019a0000-0000-7000-8000-000000000001",
          "weightGrams": 420,
          "hasDimensions": true,
          "lengthMm": 410,
          "widthMm": 120,
          "heightMm": 30,
          "optionValues": [
            {
              "id": "019a0000-0000-7000-8000-000000000005",
              "tenantId": "019a0000-0000-7000-8000-000000000099",
              "createdAt": "2026-11-21T09:30:00.000Z",
              "updatedAt": null,
              "deletedAt": null,
              "isDeleted": false,
              "productOptionValueId": "019a0000-0000-7000-8000-000000000004",
              "productVariantId": "019a0000-0000-7000-8000-000000000002"
            }
          ],
          "inventory": [
            {
              "id": "019a0000-0000-7000-8000-000000000006",
              "tenantId": "019a0000-0000-7000-8000-000000000099",
              "createdAt": "2026-11-21T09:30:00.000Z",
              "updatedAt": null,
              "deletedAt": null,
              "isDeleted": false,
              "available": 12,
              "onHand": 14,
              "reserved": 2,
              "concurrencyStamp": "019a0000-0000-7000-8000-000000000007",
              "productVariantId": "019a0000-0000-7000-8000-000000000002",
              "warehouseId": "019a0000-0000-7000-8000-000000000008"
            }
          ]
        }
      ]
    }
  },
  "product.updated": {
    "id": "019a0000-0000-7000-8000-000000000001",
    "origin": null,
    "changedFields": [
      "name"
    ],
    "previous": {
      "name": "Plane"
    },
    "current": {
      "name": "Block plane"
    }
  },
  "product.deleted": {
    "id": "019a0000-0000-7000-8000-000000000001",
    "origin": null
  },
  "inventory.updated": {
    "id": "019a0000-0000-7000-8000-000000000001",
    "origin": null,
    "variants": [
      {
        "productVariantId": "019a0000-0000-7000-8000-000000000002",
        "sku": "SAW-280",
        "previous": 14,
        "current": 12
      }
    ],
    "warehouses": [
      {
        "productVariantId": "019a0000-0000-7000-8000-000000000002",
        "warehouseId": "019a0000-0000-7000-8000-000000000008",
        "previous": {
          "available": 14,
          "onHand": 16,
          "reserved": 2
        },
        "current": {
          "available": 12,
          "onHand": 14,
          "reserved": 2
        },
        "reason": "Damaged",
        "reference": null
      }
    ]
  },
  "category.created": {
    "id": "019a0000-0000-7000-8000-000000000010",
    "name": "Saws",
    "slug": "saws",
    "parentId": null,
    "position": 1,
    "origin": null
  },
  "category.updated": {
    "id": "019a0000-0000-7000-8000-000000000010",
    "name": "Hand saws",
    "slug": "saws",
    "parentId": null,
    "position": 1,
    "origin": null
  },
  "category.deleted": {
    "id": "019a0000-0000-7000-8000-000000000010",
    "origin": null
  },
  "tax_class.created": {
    "id": "019a0000-0000-7000-8000-000000000011",
    "name": "Standard rate",
    "code": "standard",
    "isDefault": true,
    "origin": null
  },
  "tax_class.updated": {
    "id": "019a0000-0000-7000-8000-000000000011",
    "name": "Full rate",
    "code": "standard",
    "isDefault": true,
    "origin": null
  },
  "collection.created": {
    "id": "019a0000-0000-7000-8000-000000000020",
    "title": "Bestsellers",
    "handle": "bestsellers",
    "productIds": [
      "019a0000-0000-7000-8000-000000000001"
    ],
    "origin": null
  },
  "collection.updated": {
    "id": "019a0000-0000-7000-8000-000000000020",
    "title": "Bestsellers of the week",
    "handle": "bestsellers",
    "productIds": [
      "019a0000-0000-7000-8000-000000000001"
    ],
    "origin": null
  },
  "collection.deleted": {
    "id": "019a0000-0000-7000-8000-000000000020",
    "origin": null
  },
  "metaobject.created": {
    "id": "019a0000-0000-7000-8000-000000000050",
    "type": "color_chart",
    "handle": "linen",
    "fields": {
      "title": "Linen",
      "hex": "#f4ede0"
    },
    "translations": null,
    "publishedAt": null,
    "seoTitle": "Linen",
    "seoDescription": null,
    "origin": "019a0000-0000-7000-8000-000000000030"
  },
  "metaobject.updated": {
    "id": "019a0000-0000-7000-8000-000000000050",
    "type": "color_chart",
    "handle": "linen",
    "fields": {
      "title": "Linen",
      "hex": "#f4ede0"
    },
    "translations": null,
    "publishedAt": null,
    "seoTitle": "Linen, unbleached",
    "seoDescription": null,
    "origin": "019a0000-0000-7000-8000-000000000030"
  },
  "metaobject.deleted": {
    "id": "019a0000-0000-7000-8000-000000000050",
    "origin": "019a0000-0000-7000-8000-000000000030"
  },
  "media.import_completed": {
    "id": "019a0000-0000-7000-8000-000000000050",
    "status": "Completed",
    "items": [
      {
        "index": 0,
        "status": "Ready",
        "mediaId": "019a0000-0000-7000-8000-000000000051",
        "error": null,
        "errorCode": null
      }
    ]
  },
  "media.import_failed": {
    "id": "019a0000-0000-7000-8000-000000000050",
    "status": "Failed",
    "items": [
      {
        "index": 0,
        "status": "Failed",
        "mediaId": null,
        "error": "The image is damaged or incomplete.",
        "errorCode": "decode_failed"
      }
    ]
  },
  "order.created": {
    "id": "order-1001",
    "number": "1001",
    "total": 49.9,
    "currency": "EUR",
    "items": [
      {
        "sku": "PLANE-4",
        "quantity": 1,
        "price": 49.9
      }
    ]
  },
  "order.paid": {
    "id": "order-1001",
    "number": "1001",
    "total": 49.9,
    "currency": "EUR",
    "paymentMethod": "card"
  },
  "order.shipped": {
    "id": "order-1001",
    "number": "1001",
    "total": 49.9,
    "currency": "EUR",
    "carrier": "DHL",
    "trackingNumber": "00340434161094000000"
  },
  "order.cancelled": {
    "id": "order-1001",
    "number": "1001",
    "total": 49.9,
    "currency": "EUR",
    "reason": "customer"
  },
  "order.refunded": {
    "id": "order-1001",
    "number": "1001",
    "total": 49.9,
    "currency": "EUR",
    "refund": {
      "amount": 49.9,
      "reason": "damaged"
    }
  },
  "app.installed": {
    "id": "019a0000-0000-7000-8000-000000000030",
    "name": "Stock sync",
    "domain": "sunrise.example.com",
    "isSandbox": false,
    "scopes": [
      "read_orders",
      "write_inventory"
    ]
  },
  "app.scopes_changed": {
    "id": "019a0000-0000-7000-8000-000000000030",
    "name": "Stock sync",
    "domain": "sunrise.example.com",
    "isSandbox": false,
    "scopes": [
      "write_inventory"
    ]
  },
  "app.suspended": {
    "id": "019a0000-0000-7000-8000-000000000030",
    "name": "Stock sync",
    "domain": "sunrise.example.com",
    "isSandbox": false,
    "scopes": [
      "read_orders",
      "write_inventory"
    ]
  },
  "app.resumed": {
    "id": "019a0000-0000-7000-8000-000000000030",
    "name": "Stock sync",
    "domain": "sunrise.example.com",
    "isSandbox": false,
    "scopes": [
      "read_orders",
      "write_inventory"
    ]
  },
  "app.uninstalled": {
    "id": "019a0000-0000-7000-8000-000000000030",
    "name": "Catalogue sync",
    "domain": "shop.example.com"
  },
  "ping": {
    "id": "019a0000-0000-7000-8000-000000000040"
  }
};
