-- How long the first attempts waited since their events. A node of the older version leaves the column out, and adds to none of its counts.
ALTER TABLE "delivery_figures" ADD COLUMN "first_attempt" INTEGER[] NOT NULL DEFAULT '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}';
ALTER TABLE "delivery_figures" ADD CONSTRAINT "delivery_figures_first_attempt_check" CHECK (array_length("first_attempt", 1) = 16);
