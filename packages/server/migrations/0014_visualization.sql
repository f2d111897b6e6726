-- Street D, images: stored ways to show an item, and the band formulas of an organization.

-- config holds the parameters of drawing; without an asset_key it is about the asset that is drawn when none is named.
create table visualization_profiles (
  organization_id uuid not null,
  id uuid not null,
  item_id uuid not null,
  name text not null,
  layer text not null check (layer in ('sensor', 'auto', 'user')),
  type text not null check (type in ('rgb', 'singleband', 'multiband', 'expression')),
  is_default boolean not null,
  sort_order integer not null,
  config jsonb not null,
  asset_key text collate "C",
  version integer not null,
  created_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, item_id) references items (organization_id, id)
);
create unique index visualization_profiles_name on visualization_profiles (organization_id, item_id, lower(name));
create unique index visualization_profiles_default on visualization_profiles (organization_id, item_id) where is_default;
select swath_tenant_table('visualization_profiles');

create table band_formulas (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  display_name text,
  formula text not null,
  description text,
  required_bands text[] not null,
  colormap text not null,
  value_range double precision[] not null,
  category text not null,
  created_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  check (cardinality(value_range) = 2)
);
create unique index band_formulas_name on band_formulas (organization_id, lower(name));
select swath_tenant_table('band_formulas');
