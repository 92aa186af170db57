-- The webhook-signature header of an attempt. The other headers follow from the attempt, its delivery and its event. Null where nothing was sent,
-- and for attempts of before.
ALTER TABLE "delivery_attempts" ADD COLUMN "signature" TEXT;
