-- The order in which events became visible: numbered after their commit, one reader at a time, so that a cursor over it never passes
-- an event that commits late. Null until a reader needs the number.
alter table events add column sequence bigint;
select swath_owner_sees(true, 'events');
update events e set sequence = numbered.sequence
from (select organization_id, id, row_number() over (partition by organization_id order by id) as sequence from events) numbered
where e.organization_id = numbered.organization_id and e.id = numbered.id;
create unique index events_sequence on events (organization_id, sequence);
create index events_not_numbered on events (organization_id, id) where sequence is null;
grant update (sequence) on events to swath_app;

create table event_sequences (
  organization_id uuid not null,
  last_sequence bigint not null,
  primary key (organization_id)
);
insert into event_sequences (organization_id, last_sequence)
select organization_id, count(*) from events group by organization_id;
select swath_owner_sees(false, 'events');
select swath_tenant_table('event_sequences');

alter table event_subscriptions
  -- Whose projects bound what is delivered; null for the platform itself.
  add column created_by uuid,
  add column sealed_secret text,
  -- Signs as well until it expires.
  add column previous_sealed_secret text,
  add column previous_secret_expires_at timestamptz,
  add column sealed_headers text,
  -- Failures in a row that say that the endpoint is down, and since when nothing succeeded.
  add column failure_count integer not null default 0,
  add column failing_since timestamptz,
  add column failure_warned_at timestamptz,
  -- Nothing is sent before: the circuit is open, or the endpoint asked for a pause.
  add column held_until timestamptz,
  add column disabled_reason text check (disabled_reason in ('gone', 'failing')),
  drop column headers;

alter table event_deliveries
  -- When the schedule of attempts began: with the event, or with the last redelivery.
  add column scheduled_at timestamptz,
  add column attempt_id uuid,
  add column finished_at timestamptz;
select swath_owner_sees(true, 'event_deliveries');
update event_deliveries set scheduled_at = created_at;
select swath_owner_sees(false, 'event_deliveries');
alter table event_deliveries alter column scheduled_at set not null;
-- A delivery in progress is due again at the end of its lease.
create index event_deliveries_due on event_deliveries (organization_id, subscription_id, next_at) where next_at is not null;
create index event_deliveries_in_progress on event_deliveries (organization_id, subscription_id, next_at) where state = 'delivering';
create index event_deliveries_newest on event_deliveries (organization_id, subscription_id, created_at desc, id desc);

-- The log of attempts.
create table event_delivery_attempts (
  organization_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  endpoint_url text not null,
  is_delivered boolean not null,
  http_status integer,
  error text,
  response_headers jsonb not null,
  response_body text,
  started_at timestamptz not null,
  duration_ms integer not null,
  primary key (organization_id, id),
  foreign key (organization_id, delivery_id) references event_deliveries (organization_id, id) on delete cascade
);
create index event_delivery_attempts_delivery on event_delivery_attempts (organization_id, delivery_id, started_at);
select swath_tenant_table('event_delivery_attempts', 'select, insert');
