-- The areas of a quote for a tasking order, with their prices; null for scenes of archives, which are in `captures`.
alter table order_quotes add column tasks jsonb;
