drop trigger orders_gone on orders;
alter table orders add column code text, add constraint orders_code unique (code);
alter table orders drop constraint orders_reference_key;
create table drafts (organization_id uuid not null, id uuid not null, number integer not null, primary key (organization_id, id));
select swath_tenant_table('drafts');
alter table drafts alter column number set default nextval('draft_numbers');
alter table drafts rename to sketches;
create trigger sketches_counted before truncate on sketches for each statement execute function count_orders();
