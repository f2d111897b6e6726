-- Who holds an idempotency key: nobody else is told its answer. Null in claims that were made before this column: their answers are told to
-- nobody, and whoever sends the same body goes on from where an unanswered one stands, under checks of its own.
alter table idempotency_claims add column principal text collate "C";
