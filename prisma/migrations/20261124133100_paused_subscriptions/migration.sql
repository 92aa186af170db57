-- Since when the merchant keeps a subscription from being sent to, and since when one is deactivated: an edit changes updated_at.
ALTER TABLE "subscriptions" ADD COLUMN "paused_at" TIMESTAMPTZ(3), ADD COLUMN "deactivated_at" TIMESTAMPTZ(3);
