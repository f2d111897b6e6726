-- Finished deliveries are deleted after a time, with their attempts.
create index event_deliveries_finished on event_deliveries (organization_id, finished_at) where finished_at is not null;
