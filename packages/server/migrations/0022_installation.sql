-- One row: what every process on this database must have been given, too. Of the master secret a keyed hash, never itself.
create table installation (
  id integer primary key check (id = 1),
  secret_fingerprint text not null,
  -- The address of the bucket or the id of the folder; null until the next start says it.
  storage text
);
select swath_directory_table('installation');
