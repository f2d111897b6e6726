-- Prices that an order may name for a while, each with all that it needs: hosts change their prices and their scenes.
create table order_quotes (
  organization_id uuid not null,
  id uuid not null,
  captures jsonb not null,
  groups jsonb not null,
  total_credits bigint not null check (total_credits >= 0),
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  -- The order that used it: at most one.
  order_id uuid,
  primary key (organization_id, id),
  foreign key (organization_id, order_id) references orders (organization_id, id)
);
create unique index order_quotes_order on order_quotes (organization_id, order_id) where order_id is not null;
create index order_quotes_open on order_quotes (organization_id, expires_at) where order_id is null;
select swath_tenant_table('order_quotes');
