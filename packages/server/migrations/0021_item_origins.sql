-- What an item came from is what its lineage says. Callers could name an order, an upload or a job of their own when they
-- created an item, and properties of these names were kept: such claims end here.
update items i
set order_id = case when stated.of_order then i.order_id end,
    upload_id = case when stated.of_upload then i.upload_id end,
    job_id = case when stated.of_job then i.job_id end
from (
  select c.organization_id, c.id,
         coalesce(bool_or(e.dst_type = 'order' and e.dst_id = c.order_id::text), false) as of_order,
         coalesce(bool_or(e.dst_type = 'upload' and e.dst_id = c.upload_id::text), false) as of_upload,
         coalesce(bool_or(e.dst_type = 'processing_job' and e.dst_id = c.job_id::text), false) as of_job
  from items c
  left join provenance_edges e
    on e.organization_id = c.organization_id and e.src_type = 'item' and e.src_id = c.id::text
  where coalesce(c.order_id, c.upload_id, c.job_id) is not null and c.duplicated_from_id is null
  group by c.organization_id, c.id
) stated
where i.organization_id = stated.organization_id and i.id = stated.id
  and (i.order_id is not null and not stated.of_order
    or i.upload_id is not null and not stated.of_upload
    or i.job_id is not null and not stated.of_job);

-- A copy came from what its source came from, over any number of copies.
with recursive family as (
  select organization_id, id, upload_id, job_id from items where duplicated_from_id is null
  union all
  select c.organization_id, c.id, f.upload_id, f.job_id
  from family f
  join items c on c.organization_id = f.organization_id and c.duplicated_from_id = f.id
)
update items i set upload_id = f.upload_id, job_id = f.job_id
from family f
where i.organization_id = f.organization_id and i.id = f.id and i.duplicated_from_id is not null
  and (i.upload_id, i.job_id) is distinct from (f.upload_id, f.job_id);

update items set properties = properties - array['order_id', 'upload_id', 'job_id']
where properties ?| array['order_id', 'upload_id', 'job_id'];
