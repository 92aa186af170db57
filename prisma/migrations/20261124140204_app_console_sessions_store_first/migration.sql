-- After the older processes. It takes the table for a moment: no row is read or written for it.

-- The foreign key belongs to both tables.
LOCK TABLE "installations", "app_console_sessions";
DROP TRIGGER fill_store ON "app_console_sessions";
ALTER TABLE "app_console_sessions" ALTER COLUMN "store_id" SET NOT NULL;
ALTER TABLE "app_console_sessions" DROP CONSTRAINT "app_console_sessions_has_store";
ALTER TABLE "app_console_sessions" DROP CONSTRAINT "app_console_sessions_installation_id_fkey";
ALTER TABLE "app_console_sessions" DROP CONSTRAINT "app_console_sessions_pkey";
ALTER TABLE "app_console_sessions" ADD CONSTRAINT "app_console_sessions_pkey" PRIMARY KEY USING INDEX "app_console_sessions_store_key";
DROP INDEX "app_console_sessions_installation_id_idx";
