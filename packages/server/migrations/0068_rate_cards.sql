-- List prices of products with versions: an approved one replaces what the host declares, from its effective date on. They
-- belong to the platform; operators write them, and every organization reads the approved ones when something is priced.
create table rate_cards (
  id uuid primary key,
  product text not null,
  version integer not null,
  -- Credits for each square kilometre.
  rate_credits numeric not null check (rate_credits >= 0),
  -- Null: the minimum that the host declares.
  minimum_km2 double precision check (minimum_km2 >= 0),
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
  check (status <> 'approved' or decided_by <> requested_by)
);
create index rate_cards_effective on rate_cards (product, effective_from desc, version desc) where status = 'approved';
create index rate_cards_newest on rate_cards (requested_at desc, id);
select swath_shared_table('rate_cards');
