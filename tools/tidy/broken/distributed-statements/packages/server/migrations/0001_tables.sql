create table projects (
  organization_id uuid not null,
  id uuid not null,
  primary key (organization_id, id)
);
select swath_tenant_table('projects');

create table items (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references projects (organization_id, id)
);
create unique index items_name on items (organization_id, lower(name));
select swath_tenant_table('items');

create table orders (
  organization_id uuid not null,
  id uuid primary key,
  number serial,
  line integer generated always as identity,
  project_id uuid references projects (id),
  reference text unique,
  status text not null,
  updated_at timestamptz not null
);
create unique index orders_status on orders (status);
select swath_tenant_table('orders');

create function count_orders() returns trigger language plpgsql as $$ begin return null; end $$;
create function new_number() returns integer language sql as $$ select 1 $$;
create trigger orders_counted after insert on orders for each row execute function count_orders();
create trigger orders_kept before delete on orders for each row execute function refuse_change();
create trigger orders_gone after delete on orders for each row execute function count_orders();

-- Not a tenant table: it is the same on every node.
create table key_directory (
  key_hash text primary key,
  organization_id uuid not null
);
select swath_directory_table('key_directory');
