-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "stores" (
    "id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'Active',
    "product_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "stores_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "installations" (
    "id" UUID NOT NULL,
    "store_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'Installed',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),
    "uninstalled_at" TIMESTAMPTZ(3),

    CONSTRAINT "installations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "client_secrets" (
    "id" UUID NOT NULL,
    "installation_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signing_secrets" (
    "id" UUID NOT NULL,
    "installation_id" UUID NOT NULL,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "hash" BYTEA NOT NULL,
    "installation_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "categories" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT,
    "parent_id" UUID,
    "position" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "categories_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "tax_classes" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "tax_classes_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "products" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT,
    "description" TEXT,
    "meta_title" TEXT,
    "meta_description" TEXT,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "group_key" TEXT,
    "position" INTEGER NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "purchase_count" INTEGER NOT NULL,
    "rating_average" DOUBLE PRECISION NOT NULL,
    "rating_count" INTEGER NOT NULL,
    "refundable" BOOLEAN NOT NULL,
    "return_window_days" INTEGER,
    "size_guide_html" TEXT,
    "tags" TEXT[],
    "category_id" UUID,
    "tax_class_id" UUID,
    "countdown_discount_percent" DOUBLE PRECISION,
    "countdown_starts_at" TIMESTAMPTZ(3),
    "countdown_ends_at" TIMESTAMPTZ(3),
    "download_limit" INTEGER,
    "download_expiry_days" INTEGER,
    "content_blocks" JSONB NOT NULL,
    "translations" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "currency" TEXT,
    "min_price" DOUBLE PRECISION,
    "max_price" DOUBLE PRECISION,
    "total_inventory" INTEGER NOT NULL,
    "variant_count" INTEGER NOT NULL,
    "thumbnail_url" TEXT,
    "thumbnail_alt" TEXT,

    CONSTRAINT "products_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "slug_history" (
    "store_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "product_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "slug_history_pkey" PRIMARY KEY ("store_id","slug")
);

-- CreateTable
CREATE TABLE "bundle_components" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "component_product_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "bundle_components_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "bundle_variants" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_bundle_component_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "product_variant_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "bundle_variants_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "digital_assets" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "content_type" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "digital_assets_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "media" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "product_variant_id" UUID,
    "asset_id" UUID,
    "ai_generated" BOOLEAN NOT NULL,
    "alt_text" TEXT,
    "content_type" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "media_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "product_options" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "translations" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "product_options_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "product_option_values" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_option_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "swatch_hex" TEXT,
    "swatch_image_key" TEXT,
    "translations" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "product_option_values_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "personalization_fields" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "help_text" TEXT,
    "placeholder" TEXT,
    "max_length" INTEGER,
    "min_value" DOUBLE PRECISION,
    "max_value" DOUBLE PRECISION,
    "position" INTEGER NOT NULL,
    "required" BOOLEAN NOT NULL,
    "surcharge" DOUBLE PRECISION NOT NULL,
    "type" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "translations" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "personalization_fields_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "product_categories" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "category_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "product_categories_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "specifications" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "translations" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "specifications_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "variants" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "sku" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "price" DOUBLE PRECISION NOT NULL,
    "compare_at_price" DOUBLE PRECISION,
    "is_on_sale" BOOLEAN NOT NULL,
    "barcode" TEXT,
    "weight_grams" INTEGER NOT NULL,
    "has_dimensions" BOOLEAN NOT NULL,
    "length_mm" INTEGER,
    "width_mm" INTEGER,
    "height_mm" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "variants_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "variant_option_values" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_variant_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "product_option_value_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "variant_option_values_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "inventory" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "product_variant_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "warehouse_id" UUID NOT NULL,
    "available" INTEGER NOT NULL,
    "on_hand" INTEGER NOT NULL,
    "reserved" INTEGER NOT NULL,
    "concurrency_stamp" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "inventory_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "collections" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "handle" TEXT,
    "product_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "collections_pkey" PRIMARY KEY ("store_id","id")
);

-- CreateTable
CREATE TABLE "collection_products" (
    "store_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "collection_products_pkey" PRIMARY KEY ("store_id","collection_id","product_id")
);

-- CreateTable
CREATE TABLE "metaobject_definitions" (
    "store_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "fields" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "metaobject_definitions_pkey" PRIMARY KEY ("store_id","type")
);

-- CreateTable
CREATE TABLE "metaobject_entries" (
    "id" UUID NOT NULL,
    "store_id" UUID NOT NULL,
    "installation_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "handle" TEXT NOT NULL,
    "fields" JSONB NOT NULL,
    "translations" JSONB,
    "published_at" TIMESTAMPTZ(3),
    "seo_title" TEXT,
    "seo_description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "metaobject_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "id" UUID NOT NULL,
    "store_id" UUID NOT NULL,
    "installation_id" UUID,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[],
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "signing_secret" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "installation_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" SMALLINT,
    "headers" JSONB,
    "body" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("installation_id","key")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "store_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "resource_id" TEXT,
    "origin_installation_id" UUID,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "stores_domain_key" ON "stores"("domain");

-- CreateIndex
CREATE UNIQUE INDEX "installations_client_id_key" ON "installations"("client_id");

-- CreateIndex
CREATE INDEX "installations_store_id_created_at_id_idx" ON "installations"("store_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "client_secrets_hash_key" ON "client_secrets"("hash");

-- CreateIndex
CREATE INDEX "client_secrets_installation_id_idx" ON "client_secrets"("installation_id");

-- CreateIndex
CREATE INDEX "signing_secrets_installation_id_idx" ON "signing_secrets"("installation_id");

-- CreateIndex
CREATE INDEX "access_tokens_installation_id_idx" ON "access_tokens"("installation_id");

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "categories_store_id_slug_key" ON "categories"("store_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "tax_classes_store_id_code_key" ON "tax_classes"("store_id", "code");

-- CreateIndex
CREATE INDEX "products_store_id_category_id_idx" ON "products"("store_id", "category_id");

-- CreateIndex
CREATE UNIQUE INDEX "products_store_id_slug_key" ON "products"("store_id", "slug");

-- CreateIndex
CREATE INDEX "slug_history_store_id_product_id_idx" ON "slug_history"("store_id", "product_id");

-- CreateIndex
CREATE INDEX "bundle_components_store_id_product_id_idx" ON "bundle_components"("store_id", "product_id");

-- CreateIndex
CREATE INDEX "bundle_variants_store_id_product_bundle_component_id_idx" ON "bundle_variants"("store_id", "product_bundle_component_id");

-- CreateIndex
CREATE INDEX "digital_assets_store_id_product_id_idx" ON "digital_assets"("store_id", "product_id");

-- CreateIndex
CREATE INDEX "media_store_id_product_id_idx" ON "media"("store_id", "product_id");

-- CreateIndex
CREATE INDEX "media_store_id_product_variant_id_idx" ON "media"("store_id", "product_variant_id");

-- CreateIndex
CREATE INDEX "product_options_store_id_product_id_idx" ON "product_options"("store_id", "product_id");

-- CreateIndex
CREATE INDEX "product_option_values_store_id_product_option_id_idx" ON "product_option_values"("store_id", "product_option_id");

-- CreateIndex
CREATE INDEX "personalization_fields_store_id_product_id_idx" ON "personalization_fields"("store_id", "product_id");

-- CreateIndex
CREATE UNIQUE INDEX "product_categories_store_id_product_id_category_id_key" ON "product_categories"("store_id", "product_id", "category_id");

-- CreateIndex
CREATE INDEX "specifications_store_id_product_id_idx" ON "specifications"("store_id", "product_id");

-- CreateIndex
CREATE INDEX "variants_store_id_product_id_idx" ON "variants"("store_id", "product_id");

-- CreateIndex
CREATE INDEX "variants_store_id_sku_idx" ON "variants"("store_id", "sku");

-- CreateIndex
CREATE INDEX "variant_option_values_store_id_product_option_value_id_idx" ON "variant_option_values"("store_id", "product_option_value_id");

-- CreateIndex
CREATE UNIQUE INDEX "variant_option_values_store_id_product_variant_id_product_o_key" ON "variant_option_values"("store_id", "product_variant_id", "product_option_value_id");

-- CreateIndex
CREATE UNIQUE INDEX "inventory_store_id_product_variant_id_warehouse_id_key" ON "inventory"("store_id", "product_variant_id", "warehouse_id");

-- CreateIndex
CREATE UNIQUE INDEX "collections_store_id_handle_key" ON "collections"("store_id", "handle");

-- CreateIndex
CREATE INDEX "collection_products_store_id_collection_id_position_product_idx" ON "collection_products"("store_id", "collection_id", "position", "product_id");

-- CreateIndex
CREATE INDEX "collection_products_store_id_product_id_idx" ON "collection_products"("store_id", "product_id");

-- CreateIndex
CREATE INDEX "metaobject_entries_store_id_type_created_at_id_idx" ON "metaobject_entries"("store_id", "type", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "metaobject_entries_store_id_installation_id_type_handle_key" ON "metaobject_entries"("store_id", "installation_id", "type", "handle");

-- CreateIndex
CREATE INDEX "subscriptions_store_id_idx" ON "subscriptions"("store_id");

-- CreateIndex
CREATE INDEX "subscriptions_installation_id_idx" ON "subscriptions"("installation_id");

-- CreateIndex
CREATE INDEX "events_store_id_created_at_idx" ON "events"("store_id", "created_at");

-- AddForeignKey
ALTER TABLE "installations" ADD CONSTRAINT "installations_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signing_secrets" ADD CONSTRAINT "signing_secrets_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_store_id_parent_id_fkey" FOREIGN KEY ("store_id", "parent_id") REFERENCES "categories"("store_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tax_classes" ADD CONSTRAINT "tax_classes_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_store_id_category_id_fkey" FOREIGN KEY ("store_id", "category_id") REFERENCES "categories"("store_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_store_id_tax_class_id_fkey" FOREIGN KEY ("store_id", "tax_class_id") REFERENCES "tax_classes"("store_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "slug_history" ADD CONSTRAINT "slug_history_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "slug_history" ADD CONSTRAINT "slug_history_store_id_product_id_fkey" FOREIGN KEY ("store_id", "product_id") REFERENCES "products"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_components" ADD CONSTRAINT "bundle_components_store_id_product_id_fkey" FOREIGN KEY ("store_id", "product_id") REFERENCES "products"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_variants" ADD CONSTRAINT "bundle_variants_store_id_product_bundle_component_id_fkey" FOREIGN KEY ("store_id", "product_bundle_component_id") REFERENCES "bundle_components"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "digital_assets" ADD CONSTRAINT "digital_assets_store_id_product_id_fkey" FOREIGN KEY ("store_id", "product_id") REFERENCES "products"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media" ADD CONSTRAINT "media_store_id_product_id_fkey" FOREIGN KEY ("store_id", "product_id") REFERENCES "products"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media" ADD CONSTRAINT "media_store_id_product_variant_id_fkey" FOREIGN KEY ("store_id", "product_variant_id") REFERENCES "variants"("store_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_options" ADD CONSTRAINT "product_options_store_id_product_id_fkey" FOREIGN KEY ("store_id", "product_id") REFERENCES "products"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product_option_values" ADD CONSTRAINT "product_option_values_store_id_product_option_id_fkey" FOREIGN KEY ("store_id", "product_option_id") REFERENCES "product_options"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "personalization_fields" ADD CONSTRAINT "personalization_fields_store_id_product_id_fkey" FOREIGN KEY ("store_id", "product_id") REFERENCES "products"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product_categories" ADD CONSTRAINT "product_categories_store_id_product_id_fkey" FOREIGN KEY ("store_id", "product_id") REFERENCES "products"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product_categories" ADD CONSTRAINT "product_categories_store_id_category_id_fkey" FOREIGN KEY ("store_id", "category_id") REFERENCES "categories"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "specifications" ADD CONSTRAINT "specifications_store_id_product_id_fkey" FOREIGN KEY ("store_id", "product_id") REFERENCES "products"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "variants" ADD CONSTRAINT "variants_store_id_product_id_fkey" FOREIGN KEY ("store_id", "product_id") REFERENCES "products"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "variant_option_values" ADD CONSTRAINT "variant_option_values_store_id_product_variant_id_fkey" FOREIGN KEY ("store_id", "product_variant_id") REFERENCES "variants"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "variant_option_values" ADD CONSTRAINT "variant_option_values_store_id_product_option_value_id_fkey" FOREIGN KEY ("store_id", "product_option_value_id") REFERENCES "product_option_values"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inventory" ADD CONSTRAINT "inventory_store_id_product_variant_id_fkey" FOREIGN KEY ("store_id", "product_variant_id") REFERENCES "variants"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collections" ADD CONSTRAINT "collections_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_products" ADD CONSTRAINT "collection_products_store_id_collection_id_fkey" FOREIGN KEY ("store_id", "collection_id") REFERENCES "collections"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_products" ADD CONSTRAINT "collection_products_store_id_product_id_fkey" FOREIGN KEY ("store_id", "product_id") REFERENCES "products"("store_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "metaobject_definitions" ADD CONSTRAINT "metaobject_definitions_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "metaobject_entries" ADD CONSTRAINT "metaobject_entries_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "metaobject_entries" ADD CONSTRAINT "metaobject_entries_store_id_type_fkey" FOREIGN KEY ("store_id", "type") REFERENCES "metaobject_definitions"("store_id", "type") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_store_id_fkey" FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE CASCADE;



-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

-- Bytes order slugs, whatever the database's locale: what begins with a base is a range of the index.
ALTER TABLE "products" ALTER COLUMN "slug" TYPE text COLLATE "C";
-- Slugs may change hands inside one UPDATE, so uniqueness is judged at the end of the statement.
DROP INDEX "products_store_id_slug_key";
ALTER TABLE "products" ADD CONSTRAINT "products_store_id_slug_key" UNIQUE ("store_id", "slug") DEFERRABLE INITIALLY IMMEDIATE;

-- The list's order; and its filter on the change's time.
CREATE INDEX "products_list_idx" ON "products" ("store_id", "created_at", "id") WHERE "deleted_at" IS NULL;
-- Room on the page for a heap-only update: names and texts change often, indexed columns rarely.
ALTER TABLE "products" SET (fillfactor = 85);

ALTER TABLE "stores"
  ADD CONSTRAINT "stores_status_check" CHECK ("status" IN ('Active', 'Inactive')),
  ADD CONSTRAINT "stores_domain_check" CHECK ("domain" = lower("domain") AND "domain" <> ''),
  ADD CONSTRAINT "stores_product_count_check" CHECK ("product_count" >= 0);
ALTER TABLE "installations"
  ADD CONSTRAINT "installations_status_check" CHECK ("status" IN ('Installed', 'Suspended', 'Uninstalled')),
  ADD CONSTRAINT "installations_uninstalled_check" CHECK (("status" = 'Uninstalled') = ("uninstalled_at" IS NOT NULL));
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_hash_check" CHECK (length("hash") = 32);
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_hash_check" CHECK (length("hash") = 32);
ALTER TABLE "products"
  ADD CONSTRAINT "products_kind_check" CHECK ("kind" IN ('Physical', 'Digital', 'GiftWrap', 'Bundle')),
  ADD CONSTRAINT "products_status_check" CHECK ("status" IN ('Active', 'Draft', 'Archived')),
  ADD CONSTRAINT "products_name_check" CHECK ("name" <> ''),
  ADD CONSTRAINT "products_slug_check" CHECK ("slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  ADD CONSTRAINT "products_deleted_slug_check" CHECK ("deleted_at" IS NULL OR "slug" IS NULL),
  ADD CONSTRAINT "products_variant_count_check" CHECK ("variant_count" >= 0);
ALTER TABLE "personalization_fields"
  ADD CONSTRAINT "personalization_fields_type_check" CHECK ("type" IN ('Text', 'Textarea', 'Select', 'Checkbox', 'Number', 'Date'));
ALTER TABLE "tax_classes" ADD CONSTRAINT "tax_classes_code_check" CHECK ("code" <> '');
ALTER TABLE "categories" ADD CONSTRAINT "categories_parent_check" CHECK ("parent_id" <> "id");
ALTER TABLE "collections" ADD CONSTRAINT "collections_product_count_check" CHECK ("product_count" >= 0);
ALTER TABLE "subscriptions"
  ADD CONSTRAINT "subscriptions_url_check" CHECK (length("url") <= 2048),
  ADD CONSTRAINT "subscriptions_description_check" CHECK (length("description") <= 256),
  ADD CONSTRAINT "subscriptions_event_types_check" CHECK (cardinality("event_types") > 0);
ALTER TABLE "idempotency_records"
  ADD CONSTRAINT "idempotency_records_key_check" CHECK (length("key") BETWEEN 1 AND 255),
  ADD CONSTRAINT "idempotency_records_fingerprint_check" CHECK (length("fingerprint") = 32),
  ADD CONSTRAINT "idempotency_records_finished_check" CHECK (("status" IS NULL) = ("finished_at" IS NULL) AND "status" < 500);
-- The purge walks this: the finished by age, and the few that are running or abandoned, whose time is null.
CREATE INDEX "idempotency_records_finished_idx" ON "idempotency_records" ("finished_at");

-- ISO 8601 in UTC with milliseconds, as JavaScript writes it: ready JSON text needs no formatting afterwards.
CREATE FUNCTION "iso"(timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN to_char($1 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
