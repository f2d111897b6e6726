-- Pages of one project and of one collection in the order of a search without a sort, as `items_found` has those of an organization.
drop index items_project;
create index items_project_found on items (organization_id, project_id, covers_from desc, id)
  include (collection_id, covers_to, cloud_cover, revision)
  where deleted_at is null and lifecycle_state <> 'expired';
create index items_collection_found on items (organization_id, collection_id, covers_from desc, id)
  include (project_id, covers_to, cloud_cover, revision)
  where deleted_at is null and lifecycle_state <> 'expired';

-- Items whose retention has ended and that no sweep has met yet are taken off the counts of a list.
create index items_retention on items (organization_id, expires_at)
  include (project_id, collection_id)
  where expires_at is not null and deleted_at is null and lifecycle_state <> 'expired';

-- A statement that is planned once for everybody is planned for an organization that has a quarter of all items: what is right for many
-- items is quick for few, and what is right for the average organization reads all items of a large one.
alter table items alter column organization_id set (n_distinct = 4);
