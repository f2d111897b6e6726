-- Notifications, and e-mails that were sent or given up, are deleted after a time.
create index notifications_created on notifications (organization_id, created_at);
create index emails_finished on emails (organization_id, finished_at) where finished_at is not null;
