-- The embedded payment processor: a company of its own that happens to keep its books here. The app role sees none of it.

create table processor_customers (
  id text collate "C" primary key,
  organization_id uuid not null,
  name text not null,
  email text,
  default_method text,
  created_at timestamptz not null
);
select swath_directory_table('processor_customers');

create table processor_methods (
  id text collate "C" primary key,
  customer text collate "C" not null references processor_customers (id),
  behaviour text not null,
  brand text not null,
  last4 text not null,
  exp_month integer not null,
  exp_year integer not null,
  detached_at timestamptz,
  created_at timestamptz not null
);
select swath_directory_table('processor_methods');

create table processor_setup_intents (
  id text collate "C" primary key,
  customer text collate "C" not null references processor_customers (id),
  client_secret text not null,
  status text not null check (status in ('requires_payment_method', 'succeeded')),
  created_at timestamptz not null
);
create index processor_setup_intents_open on processor_setup_intents (customer) where status = 'requires_payment_method';
select swath_directory_table('processor_setup_intents');

create table processor_intents (
  id text collate "C" primary key,
  organization_id uuid not null,
  customer text collate "C" not null references processor_customers (id),
  payment_method text collate "C" not null references processor_methods (id),
  amount_cents bigint not null check (amount_cents > 0),
  captured_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  capture text not null check (capture in ('automatic', 'manual')),
  status text not null
    check (status in ('requires_payment_method', 'requires_action', 'requires_capture', 'succeeded', 'canceled')),
  client_secret text collate "C" not null unique,
  capture_before timestamptz,
  decline_code text,
  cancelled_because text check (cancelled_because in ('requested', 'expired')),
  metadata jsonb not null,
  created_at timestamptz not null,
  check (0 <= refunded_cents and refunded_cents <= captured_cents and captured_cents <= amount_cents),
  check ((status = 'succeeded') = (captured_cents > 0)),
  check ((status = 'requires_capture') = (capture_before is not null)),
  check ((status = 'canceled') = (cancelled_because is not null))
);
create index processor_intents_authorised on processor_intents (capture_before) where status = 'requires_capture';
select swath_directory_table('processor_intents');

create table processor_refunds (
  id text collate "C" primary key,
  intent text collate "C" not null references processor_intents (id),
  amount_cents bigint not null check (amount_cents > 0),
  metadata jsonb not null,
  created_at timestamptz not null
);
select swath_directory_table('processor_refunds');

create table processor_disputes (
  id text collate "C" primary key,
  intent text collate "C" not null references processor_intents (id),
  amount_cents bigint not null check (amount_cents > 0),
  status text not null check (status in ('open', 'won', 'lost')),
  created_at timestamptz not null
);
select swath_directory_table('processor_disputes');

-- What was answered to a key: the digest of the request, and its answer as it was.
create table processor_requests (
  key text collate "C" primary key,
  digest text not null,
  answer jsonb,
  created_at timestamptz not null
);
create index processor_requests_age on processor_requests (created_at);
select swath_directory_table('processor_requests');

-- What is told to whoever listens; `next_at` is null once it was heard, or given up.
create table processor_events (
  id text collate "C" primary key,
  body jsonb not null,
  attempts integer not null default 0,
  next_at timestamptz,
  created_at timestamptz not null
);
create index processor_events_due on processor_events (next_at) where next_at is not null;
create index processor_events_age on processor_events (created_at);
select swath_directory_table('processor_events');
