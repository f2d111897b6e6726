-- The project that an event is about lies with it, so that a member's list of events is one condition over an index instead of a look
-- at every event's entity. Nothing moves from one project to another, and what is deleted keeps its row: what is derived here is what
-- was looked up before. Events about what lies in no project, such as the wallet, have none.
alter table events add column project_id uuid;

select swath_owner_sees(true, 'events', 'items', 'assets', 'collections', 'orders', 'projects', 'share_links', 'uploads');

update events e set project_id = found.project_id
from (
  select organization_id, 'item' as type, id::text as id, project_id from items
  union all
  select a.organization_id, 'asset', a.id::text, i.project_id
  from assets a join items i on i.organization_id = a.organization_id and i.id = a.item_id
  union all
  select organization_id, 'collection', id::text, project_id from collections
  union all
  select organization_id, 'order', id::text, project_id from orders
  union all
  select organization_id, 'project', id::text, id from projects
  union all
  select organization_id, 'share_link', id::text, project_id from share_links
  union all
  select organization_id, 'upload', id::text, project_id from uploads
) found
where found.organization_id = e.organization_id and found.type = e.entity_type and found.id = e.entity_id;

select swath_owner_sees(false, 'events', 'items', 'assets', 'collections', 'orders', 'projects', 'share_links', 'uploads');

create index events_project on events (organization_id, project_id, id desc) where project_id is not null;
