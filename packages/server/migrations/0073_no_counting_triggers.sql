-- min program: 0072
-- Statements count items and files since 0072, so that nothing relies on the triggers any more. The program of 0072 still writes the
-- column `counted_revision` of items; a later migration drops it (`-- min program: 0073`). Where tables are distributed, the triggers are
-- gone already.
drop trigger if exists items_counted on items;
drop trigger if exists items_counted_by_month on items;
drop trigger if exists items_recounted on items;
drop trigger if exists items_recounted_by_month on items;
drop trigger if exists items_uncounted on items;
drop trigger if exists items_uncounted_by_month on items;
drop trigger if exists storage_journal_counted on storage_journal;
drop function count_arrived_items();
drop function count_arrived_items_by_month();
drop function count_changed_items();
drop function count_changed_items_by_month();
drop function count_gone_items();
drop function count_gone_items_by_month();
drop function count_journal_bytes();
drop function add_stored_bytes(uuid, bigint, bigint);
drop function apply_item_counts(item_count_change[]);
drop function apply_item_properties(item_property_change[]);
drop type item_count_change;
drop type item_property_change;
