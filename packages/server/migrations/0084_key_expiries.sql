-- Admins are told when an API key expires and what it has created stops; the deadlines of the keys that there are.
select swath_owner_sees(true, 'api_keys', 'billing_deadlines');
insert into billing_deadlines (organization_id, kind, subject_id, due_at)
select organization_id, 'key-expiry', id, expires_at from api_keys where revoked_at is null and expires_at > now();
select swath_owner_sees(false, 'api_keys', 'billing_deadlines');
