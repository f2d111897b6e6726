-- What an API key may spend in all, and what it has spent: open holds with all they hold, settled ones with what was charged.
alter table api_keys add column spend_cap_credits bigint check (spend_cap_credits >= 0);
-- The key that asked for it; null for people, and for what was held before keys had caps.
alter table credit_holds add column api_key_id uuid;
create table api_key_spending (
  organization_id uuid not null,
  api_key_id uuid not null,
  credits bigint not null check (credits >= 0),
  primary key (organization_id, api_key_id)
);
select swath_tenant_table('api_key_spending', 'select, insert, update');
