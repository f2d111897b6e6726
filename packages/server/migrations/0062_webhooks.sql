-- Webhooks of a workspace, which is a project: one URL for several events, each of which is a subscription.
create table webhooks (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  url text not null,
  events text[] not null,
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index webhooks_project on webhooks (organization_id, project_id, created_at desc, id desc);
select swath_tenant_table('webhooks');

-- The webhook that a subscription is a part of, and the project whose events it is limited to.
alter table event_subscriptions add column webhook_id uuid, add column project_id uuid;
select swath_owner_sees(true, 'event_subscriptions', 'webhooks');
alter table event_subscriptions add foreign key (organization_id, webhook_id)
  references webhooks (organization_id, id) on delete cascade;
select swath_owner_sees(false, 'event_subscriptions', 'webhooks');
create index event_subscriptions_webhook on event_subscriptions (organization_id, webhook_id) where webhook_id is not null;
