-- The number that the last delivery of the subscription got.
alter table event_subscriptions add column last_sequence bigint not null default 0;
-- One more than that of the delivery before it to the same subscription; null until the delivery is sent or given up.
alter table event_deliveries add column sequence bigint;
