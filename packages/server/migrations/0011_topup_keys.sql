-- Under which key the processor was asked for a top-up, so that an answer which was lost comes again whoever asks: the
-- caller's own key and how often it was tried with it, or without one the top-up's id.
alter table topups
  add column idempotency_key text collate "C",
  add column attempt integer not null default 1 check (attempt > 0);
create unique index topups_of_key on topups (organization_id, idempotency_key, attempt) where idempotency_key is not null;
create index topups_of_approval on topups (organization_id, approval_id) where approval_id is not null;
