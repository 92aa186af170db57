-- Apps that are made once, for many stores. active_since: tokens from before the last resumption stay revoked.
CREATE TABLE "platform_apps" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "redirect_urls" TEXT[] NOT NULL,
    "scopes" TEXT[] NOT NULL,
    "optional_scopes" TEXT[] NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'Active',
    "active_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "platform_apps_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "platform_apps_client_id_key" ON "platform_apps"("client_id");

-- As client_secrets, for all installations of an app.
CREATE TABLE "platform_client_secrets" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "platform_client_secrets_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "platform_client_secrets_app_id_idx" ON "platform_client_secrets"("app_id");

-- As signing_secrets, for all installations of an app.
CREATE TABLE "platform_signing_secrets" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "platform_signing_secrets_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "platform_signing_secrets_app_id_idx" ON "platform_signing_secrets"("app_id");

-- What an app asks a merchant for. A decision deletes it.
CREATE TABLE "install_requests" (
    "store_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "scopes" TEXT[] NOT NULL,
    "redirect_url" TEXT NOT NULL,
    "state" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "install_requests_pkey" PRIMARY KEY ("store_id", "id")
);

CREATE INDEX "install_requests_app_id_idx" ON "install_requests"("app_id");
CREATE INDEX "install_requests_expires_at_idx" ON "install_requests"("expires_at");

ALTER TABLE "platform_client_secrets" ADD CONSTRAINT "platform_client_secrets_app_id_fkey"
  FOREIGN KEY ("app_id") REFERENCES "platform_apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "platform_signing_secrets" ADD CONSTRAINT "platform_signing_secrets_app_id_fkey"
  FOREIGN KEY ("app_id") REFERENCES "platform_apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "install_requests" ADD CONSTRAINT "install_requests_app_id_fkey"
  FOREIGN KEY ("app_id") REFERENCES "platform_apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "install_requests" ADD CONSTRAINT "install_requests_store_id_fkey"
  FOREIGN KEY ("store_id") REFERENCES "stores"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- The app of many stores that is installed; null for an app of one store. A store that is imported keeps the id although the server may not
-- have the app: so there is no foreign key.
ALTER TABLE "installations" ADD COLUMN "app_id" UUID;

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

ALTER TABLE "platform_apps" ADD CONSTRAINT "platform_apps_status_check" CHECK ("status" IN ('Active', 'Suspended'));
