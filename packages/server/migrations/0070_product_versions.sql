-- Versions of the terms of data products: each states what it changes, from its effective date on. Those that change the price or
-- the licence are approved by a second operator. They belong to the platform, as list prices do.
create table product_versions (
  id uuid primary key,
  -- The name of the data product in the glossary: its host and its collection.
  product text not null,
  version integer not null,
  -- `is_available`, `minimum_km2`, `licences`, `eula`, `params`; an absent one stays, null is that of the host.
  changes jsonb not null,
  needs_approval boolean not null,
  effective_from timestamptz not null,
  reason text not null,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  requested_by uuid not null,
  requested_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  decision_reason text,
  unique (product, version),
  check ((status = 'pending') = (decided_by is null)),
  check (status <> 'approved' or not needs_approval or decided_by <> requested_by)
);
create index product_versions_effective on product_versions (effective_from, version) where status = 'approved';
create index product_versions_newest on product_versions (requested_at desc, id);
select swath_shared_table('product_versions');

-- The version under which a capture was ordered; null: the terms that its host declared.
alter table order_captures add column product_version integer;
