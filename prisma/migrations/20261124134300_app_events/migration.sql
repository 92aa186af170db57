-- Where an app of many stores learns of the life of its installations; null for nowhere.
ALTER TABLE "platform_apps" ADD COLUMN "event_url" TEXT;

-- The app of many stores whose event address this is, on this store; null for a subscription of the merchant or of an installation. It
-- outlives the installation. As with installations, there is no foreign key.
ALTER TABLE "subscriptions" ADD COLUMN "app_id" UUID;

-- What the events of an app of many stores have said of it so far; null before the first.
ALTER TABLE "installations" ADD COLUMN "told_status" TEXT, ADD COLUMN "told_scopes" TEXT[];
