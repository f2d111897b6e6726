-- What is said of items is measured where it is stored: it has a bound, counts as storage, and pages are cut before they are read.

-- The bytes of what is said of an item, as the text in which the database hands it out. That text may be much longer than the one that
-- came in (the number 1e300 has 301 digits in it), so it alone is measured.
create function item_metadata_bytes(description text, properties jsonb, links jsonb, stac_assets json, stac_extensions text[])
returns integer
language sql
immutable
parallel safe
as $$
  select octet_length(properties::text) + octet_length(links::text) + coalesce(octet_length(stac_assets::text), 0)
    + coalesce(octet_length(description), 0) + octet_length(array_to_string(stac_extensions, ' '))
$$;

alter table items
  add column metadata_bytes integer not null
    generated always as (item_metadata_bytes(description, properties, links, stac_assets, stac_extensions)) stored,
  add column geometry_bytes integer not null generated always as (coalesce(ST_MemSize(geometry), 0)) stored;

-- What nobody reads any more: a deleted asset is never shown again.
update assets set stac = '{}' where deleted_at is not null and stac <> '{}';

-- The bytes that an organization stores, kept up to date with the rows that they are the sums of: the journal of files, and the items.
-- A deleted item counts until it becomes a tombstone, as its files do.
create table storage_totals (
  organization_id uuid not null,
  file_bytes bigint not null,
  metadata_bytes bigint not null,
  primary key (organization_id)
);
select swath_tenant_table('storage_totals', 'select, insert, update');

insert into storage_totals (organization_id, file_bytes, metadata_bytes)
select organization_id, sum(file_bytes), sum(metadata_bytes)
from (
  select organization_id, bytes_delta as file_bytes, 0 as metadata_bytes from storage_journal
  union all
  select organization_id, 0, metadata_bytes + geometry_bytes from items
) stored
group by organization_id;

-- Under the lock of the journal, which everybody takes before this row: nobody waits in a circle.
create function add_stored_bytes(organization uuid, files bigint, metadata bigint) returns void
language sql
as $$
  select pg_advisory_xact_lock(hashtextextended('stored bytes of ' || organization::text, 0));
  insert into storage_totals as t (organization_id, file_bytes, metadata_bytes) values (organization, files, metadata)
  on conflict (organization_id) do update
  set file_bytes = t.file_bytes + excluded.file_bytes, metadata_bytes = t.metadata_bytes + excluded.metadata_bytes;
$$;

create function count_journal_bytes() returns trigger
language plpgsql
as $$
begin
  perform add_stored_bytes(m.organization_id, m.bytes, 0)
  from (select organization_id, sum(bytes_delta)::bigint as bytes from arrived group by organization_id order by organization_id) m
  where m.bytes <> 0;
  return null;
end
$$;
create trigger storage_journal_counted after insert on storage_journal
  referencing new table as arrived for each statement execute function count_journal_bytes();

create function count_arrived_items() returns trigger
language plpgsql
as $$
begin
  perform add_stored_bytes(m.organization_id, 0, m.bytes)
  from (
    select organization_id, sum(metadata_bytes + geometry_bytes)::bigint as bytes
    from arrived group by organization_id order by organization_id) m;
  return null;
end
$$;
create trigger items_counted after insert on items
  referencing new table as arrived for each statement execute function count_arrived_items();

create function count_changed_items() returns trigger
language plpgsql
as $$
begin
  perform add_stored_bytes(m.organization_id, 0, m.bytes)
  from (
    select organization_id, sum(bytes)::bigint as bytes
    from (
      select organization_id, metadata_bytes + geometry_bytes as bytes from arrived
      union all
      select organization_id, - metadata_bytes - geometry_bytes from gone
    ) changes
    group by organization_id order by organization_id) m
  where m.bytes <> 0;
  return null;
end
$$;
create trigger items_recounted after update on items
  referencing old table as gone new table as arrived for each statement execute function count_changed_items();

create function count_gone_items() returns trigger
language plpgsql
as $$
begin
  perform add_stored_bytes(m.organization_id, 0, - m.bytes)
  from (
    select organization_id, sum(metadata_bytes + geometry_bytes)::bigint as bytes
    from gone group by organization_id order by organization_id) m;
  return null;
end
$$;
create trigger items_uncounted after delete on items
  referencing old table as gone for each statement execute function count_gone_items();
