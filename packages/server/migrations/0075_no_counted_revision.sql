-- min program: 0073
-- The triggers that read the column are gone since 0073, whose program does not write it.
alter table items drop column counted_revision;
