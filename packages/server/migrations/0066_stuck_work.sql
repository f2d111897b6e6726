-- A dead letter that an operator has given up; it is kept, and no longer pending.
alter table billing_dead_letters add column discarded_at timestamptz;

-- Deliveries that have used up their attempts, for operators.
create index event_deliveries_dead on event_deliveries (organization_id, finished_at) where state = 'dead';
