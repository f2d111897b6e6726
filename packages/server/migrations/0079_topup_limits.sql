-- The largest sum that cards are charged for credits in a day, where an owner has changed the default.
create table daily_topup_limits (
  organization_id uuid primary key,
  limit_cents bigint not null check (limit_cents > 0),
  updated_by text not null,
  updated_at timestamptz not null
);
select swath_tenant_table('daily_topup_limits');

-- The member whose spend limits a top-up counts against: who made it, or who created the API key that made it. Null for automatic
-- ones, and for those made before this column existed.
alter table topups add column user_id uuid;
create index topups_of_user on topups (organization_id, user_id, created_at) where user_id is not null;
