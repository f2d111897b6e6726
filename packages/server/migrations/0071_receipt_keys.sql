-- The public keys of receipts that were signed with master secrets that have been replaced: receipts are verified years later.
alter table installation add column receipt_keys jsonb not null default '[]';
