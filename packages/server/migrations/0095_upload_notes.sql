-- What was assumed or changed while a file of an upload was read, as sentences for its sender.
alter table upload_files add column notes text[] not null default '{}';
