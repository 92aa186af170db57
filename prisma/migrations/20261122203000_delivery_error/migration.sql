-- Why the last attempt of a delivery failed, or why the delivery ended without one. Null while nothing failed.
ALTER TABLE "deliveries" ADD COLUMN "error" TEXT;
