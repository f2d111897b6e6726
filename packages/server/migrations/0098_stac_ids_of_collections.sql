-- A STAC id is unique among the items of a collection, and among those of a project that are in none.
create unique index items_stac_id_of_collection on items (organization_id, stac_id, (coalesce(collection_id, project_id)))
  where deleted_at is null;
drop index items_stac_id;

-- Items in no collection are shown in that of their project: their stored Features have another `collection` and other links.
truncate item_features;
