-- What a user or an API key has made acts for them only while they may act themselves. The time from which a user is disabled is
-- repeated in the membership, so that statements of one organization can ask for it.
alter table memberships add column disabled_at timestamptz;
select swath_owner_sees(true, 'users', 'memberships');
update memberships m set disabled_at = u.disabled_at from users u where u.id = m.user_id and u.disabled_at is not null;
select swath_owner_sees(false, 'users', 'memberships');

-- The API key with which a user made it, where so far only the user was known.
alter table event_subscriptions add column created_by_key uuid;
alter table webhooks add column created_by_key uuid;
alter table report_schedules add column created_by_key uuid;
