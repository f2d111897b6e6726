-- The whole schema after the last migration, printed from the catalog (npm run db -- dump). Not run by anything: it is here to be
-- read and reviewed as a difference. Extensions, and the tables of the queue's library, are not ours and not shown.

create table account_mails (
  id uuid not null,
  kind text not null,
  user_id uuid,
  email text not null,
  subject_id uuid,
  details jsonb not null,
  token_hash text collate "C",
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  used_at timestamp with time zone,
  constraint account_mails_pkey PRIMARY KEY (id),
  constraint account_mails_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX account_mails_expiry ON public.account_mails USING btree (expires_at);
CREATE INDEX account_mails_user ON public.account_mails USING btree (user_id) WHERE (user_id IS NOT NULL);
comment on table account_mails is 'directory';
alter table account_mails enable row level security;
alter table account_mails force row level security;
create policy across on account_mails to swath_across using true;
grant select, insert, update, delete on account_mails to swath_across;

create table alert_evaluations (
  organization_id uuid not null,
  rule_id uuid not null,
  item_id uuid not null,
  event_type text not null,
  state text not null,
  value double precision,
  outcome text,
  reason text,
  created_at timestamp with time zone not null,
  evaluated_at timestamp with time zone,
  constraint alert_evaluations_pkey PRIMARY KEY (organization_id, rule_id, item_id),
  constraint alert_evaluations_organization_id_rule_id_fkey FOREIGN KEY (organization_id, rule_id) REFERENCES alert_rules(organization_id, id) ON DELETE CASCADE,
  constraint alert_evaluations_check CHECK (((state = 'pending'::text) = (evaluated_at IS NULL))),
  constraint alert_evaluations_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'measured'::text, 'skipped'::text])))
);
CREATE INDEX alert_evaluations_pending ON public.alert_evaluations USING btree (organization_id, item_id) WHERE (state = 'pending'::text);
comment on table alert_evaluations is 'tenant';
alter table alert_evaluations enable row level security;
alter table alert_evaluations force row level security;
create policy across on alert_evaluations to swath_across using true;
create policy tenant on alert_evaluations to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on alert_evaluations to swath_across;
grant select, insert, update, delete on alert_evaluations to swath_app;

create table alert_events (
  organization_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  item_id uuid not null,
  project_id uuid not null,
  event_type text not null,
  expression text not null,
  statistic text not null,
  asset_key text not null,
  computed_value double precision not null,
  comparison text not null,
  threshold double precision not null,
  threshold_upper double precision,
  previous_item_id uuid,
  acknowledged_by text,
  acknowledged_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint alert_events_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX alert_events_newest ON public.alert_events USING btree (organization_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX alert_events_once ON public.alert_events USING btree (organization_id, rule_id, item_id);
comment on table alert_events is 'tenant';
alter table alert_events enable row level security;
alter table alert_events force row level security;
create policy across on alert_events to swath_across using true;
create policy tenant on alert_events to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on alert_events to swath_across;
grant select, insert, update, delete on alert_events to swath_app;

create table alert_rules (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid,
  collection_id uuid,
  name text not null,
  description text,
  event_types text[] not null,
  expression text not null,
  statistic text not null,
  aoi jsonb,
  comparison text not null,
  threshold double precision not null,
  threshold_upper double precision,
  hysteresis double precision,
  asset_key text not null,
  band_mapping jsonb not null,
  notification_channels text[] not null,
  active boolean not null,
  cooldown_minutes integer not null,
  is_armed boolean not null,
  last_triggered_at timestamp with time zone,
  created_by text not null,
  user_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint alert_rules_pkey PRIMARY KEY (organization_id, id),
  constraint alert_rules_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id),
  constraint alert_rules_cooldown_minutes_check CHECK ((cooldown_minutes >= 0)),
  constraint alert_rules_hysteresis_check CHECK ((hysteresis >= (0)::double precision))
);
CREATE INDEX alert_rules_active ON public.alert_rules USING btree (organization_id) WHERE active;
CREATE INDEX alert_rules_project ON public.alert_rules USING btree (organization_id, project_id);
comment on table alert_rules is 'tenant';
alter table alert_rules enable row level security;
alter table alert_rules force row level security;
create policy across on alert_rules to swath_across using true;
create policy tenant on alert_rules to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on alert_rules to swath_across;
grant select, insert, update, delete on alert_rules to swath_app;

create table analytics_results (
  organization_id uuid not null,
  id uuid not null,
  method text not null,
  blob_path text not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint analytics_results_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX analytics_results_expiry ON public.analytics_results USING btree (organization_id, expires_at);
comment on table analytics_results is 'tenant';
alter table analytics_results enable row level security;
alter table analytics_results force row level security;
create policy across on analytics_results to swath_across using true;
create policy tenant on analytics_results to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on analytics_results to swath_across;
grant select, insert, update, delete on analytics_results to swath_app;

create table api_key_directory (
  key_hash text collate "C" not null,
  organization_id uuid not null,
  key_id uuid not null,
  constraint api_key_directory_pkey PRIMARY KEY (key_hash)
);
CREATE INDEX api_key_directory_key ON public.api_key_directory USING btree (organization_id, key_id);
comment on table api_key_directory is 'directory';
alter table api_key_directory enable row level security;
alter table api_key_directory force row level security;
create policy across on api_key_directory to swath_across using true;
grant select, insert, update, delete on api_key_directory to swath_across;

create table api_key_spending (
  organization_id uuid not null,
  api_key_id uuid not null,
  credits bigint not null,
  constraint api_key_spending_pkey PRIMARY KEY (organization_id, api_key_id),
  constraint api_key_spending_credits_check CHECK ((credits >= 0))
);
comment on table api_key_spending is 'tenant';
alter table api_key_spending enable row level security;
alter table api_key_spending force row level security;
create policy across on api_key_spending to swath_across using true;
create policy tenant on api_key_spending to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on api_key_spending to swath_across;
grant select, insert, update on api_key_spending to swath_app;

create table api_keys (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  permissions text[] not null,
  rate_limit integer,
  created_by uuid not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  spend_cap_credits bigint,
  last_used_address text,
  of_client boolean not null default false,
  constraint api_keys_pkey PRIMARY KEY (organization_id, id),
  constraint api_keys_spend_cap_credits_check CHECK ((spend_cap_credits >= 0))
);
comment on table api_keys is 'tenant';
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy across on api_keys to swath_across using true;
create policy tenant on api_keys to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on api_keys to swath_across;
grant select, insert, update, delete on api_keys to swath_app;

create table asset_downloads (
  organization_id uuid not null,
  day date not null,
  asset_id uuid not null,
  downloads integer not null,
  constraint asset_downloads_pkey PRIMARY KEY (organization_id, day, asset_id),
  constraint asset_downloads_downloads_check CHECK ((downloads > 0))
);
comment on table asset_downloads is 'tenant';
alter table asset_downloads enable row level security;
alter table asset_downloads force row level security;
create policy across on asset_downloads to swath_across using true;
create policy tenant on asset_downloads to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on asset_downloads to swath_across;
grant select, insert, update on asset_downloads to swath_app;

create table asset_readers (
  organization_id uuid not null,
  asset_id uuid not null,
  reader_type text collate "C" not null,
  reader_id uuid not null,
  created_at timestamp with time zone not null,
  constraint asset_readers_pkey PRIMARY KEY (organization_id, asset_id, reader_type, reader_id),
  constraint asset_readers_organization_id_asset_id_fkey FOREIGN KEY (organization_id, asset_id) REFERENCES assets(organization_id, id)
);
CREATE INDEX asset_readers_reader ON public.asset_readers USING btree (organization_id, reader_type, reader_id);
comment on table asset_readers is 'tenant';
alter table asset_readers enable row level security;
alter table asset_readers force row level security;
create policy across on asset_readers to swath_across using true;
create policy tenant on asset_readers to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on asset_readers to swath_across;
grant select, insert, update, delete on asset_readers to swath_app;

create table assets (
  organization_id uuid not null,
  id uuid not null,
  item_id uuid not null,
  key text collate "C" not null,
  title text,
  blob_path text,
  external_href text,
  media_type text not null,
  roles text[] not null default '{}'::text[],
  file_size_bytes bigint,
  checksum_sha256 text,
  band_names text[] not null default '{}'::text[],
  raster jsonb,
  ready boolean not null,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  stac jsonb not null default '{}'::jsonb,
  constraint assets_pkey PRIMARY KEY (organization_id, id),
  constraint assets_organization_id_item_id_fkey FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id),
  constraint assets_check CHECK (((blob_path IS NULL) OR (external_href IS NULL))),
  constraint assets_checksum_sha256_check CHECK ((checksum_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint assets_file_size_bytes_check CHECK ((file_size_bytes >= 0))
);
CREATE INDEX assets_blob ON public.assets USING btree (organization_id, blob_path) WHERE (blob_path IS NOT NULL);
CREATE UNIQUE INDEX assets_key ON public.assets USING btree (organization_id, item_id, key) WHERE (deleted_at IS NULL);
comment on table assets is 'tenant';
alter table assets enable row level security;
alter table assets force row level security;
create policy across on assets to swath_across using true;
create policy tenant on assets to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on assets to swath_across;
grant select, insert, update, delete on assets to swath_app;

create table audit_entries (
  organization_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null,
  principal_kind text not null,
  principal_id text not null,
  operation text not null,
  target_type text,
  target_id text,
  reason text,
  request_id text not null,
  address text,
  outcome text not null,
  problem text,
  refusal_key text,
  position bigint,
  hash text,
  constraint audit_entries_pkey PRIMARY KEY (organization_id, id),
  constraint audit_entries_check CHECK ((("position" IS NULL) = (hash IS NULL))),
  constraint audit_entries_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'replayed'::text, 'dry_run'::text, 'refused'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX audit_entries_chain ON public.audit_entries USING btree (organization_id, "position") WHERE ("position" IS NOT NULL);
CREATE UNIQUE INDEX audit_entries_refusals ON public.audit_entries USING btree (organization_id, refusal_key) WHERE (refusal_key IS NOT NULL);
CREATE INDEX audit_entries_target ON public.audit_entries USING btree (organization_id, target_id, id) WHERE (target_id IS NOT NULL);
CREATE INDEX audit_entries_unsealed ON public.audit_entries USING btree (organization_id, at, id) WHERE ("position" IS NULL);
comment on table audit_entries is 'tenant';
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy across on audit_entries to swath_across using true;
create policy tenant on audit_entries to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
create policy unsealed on audit_entries as restrictive for update to swath_across, swath_app using ("position" IS NULL) with check true;
grant select, insert on audit_entries to swath_across;
grant select, insert on audit_entries to swath_app;

create table audit_heads (
  organization_id uuid not null,
  position bigint not null,
  hash text not null,
  constraint audit_heads_pkey PRIMARY KEY (organization_id)
);
comment on table audit_heads is 'tenant';
alter table audit_heads enable row level security;
alter table audit_heads force row level security;
create policy across on audit_heads to swath_across using true;
create policy tenant on audit_heads to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on audit_heads to swath_across;
grant select, insert, update on audit_heads to swath_app;

create table authorization_codes (
  code_hash text collate "C" not null,
  browser_session_id uuid not null,
  user_id uuid not null,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  nonce text,
  openid boolean not null,
  authenticated_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  session_id uuid,
  organization_id uuid,
  scopes text[],
  resources text[],
  constraint authorization_codes_pkey PRIMARY KEY (code_hash),
  constraint authorization_codes_browser_session_id_fkey FOREIGN KEY (browser_session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint authorization_codes_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint authorization_codes_check CHECK (((used_at IS NULL) = (session_id IS NULL)))
);
CREATE INDEX authorization_codes_browser ON public.authorization_codes USING btree (browser_session_id);
CREATE INDEX authorization_codes_expiry ON public.authorization_codes USING btree (expires_at);
CREATE INDEX authorization_codes_session ON public.authorization_codes USING btree (session_id) WHERE (session_id IS NOT NULL);
comment on table authorization_codes is 'directory';
alter table authorization_codes enable row level security;
alter table authorization_codes force row level security;
create policy across on authorization_codes to swath_across using true;
grant select, insert, update, delete on authorization_codes to swath_across;

create table auto_topups (
  organization_id uuid not null,
  enabled boolean not null,
  threshold_credits bigint not null,
  topup_amount_credits bigint not null,
  daily_charge_cap_cents bigint,
  max_consecutive_declines integer not null default 3,
  consecutive_declines integer not null default 0,
  updated_by text not null,
  updated_at timestamp with time zone not null,
  constraint auto_topups_pkey PRIMARY KEY (organization_id),
  constraint auto_topups_daily_charge_cap_cents_check CHECK ((daily_charge_cap_cents > 0)),
  constraint auto_topups_threshold_credits_check CHECK ((threshold_credits > 0)),
  constraint auto_topups_topup_amount_credits_check CHECK ((topup_amount_credits > 0))
);
comment on table auto_topups is 'tenant';
alter table auto_topups enable row level security;
alter table auto_topups force row level security;
create policy across on auto_topups to swath_across using true;
create policy tenant on auto_topups to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on auto_topups to swath_across;
grant select, insert, update, delete on auto_topups to swath_app;

create table band_formulas (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  display_name text,
  formula text not null,
  description text,
  required_bands text[] not null,
  colormap text not null,
  value_range double precision[] not null,
  category text not null,
  created_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint band_formulas_pkey PRIMARY KEY (organization_id, id),
  constraint band_formulas_value_range_check CHECK ((cardinality(value_range) = 2))
);
CREATE UNIQUE INDEX band_formulas_name ON public.band_formulas USING btree (organization_id, lower(name));
comment on table band_formulas is 'tenant';
alter table band_formulas enable row level security;
alter table band_formulas force row level security;
create policy across on band_formulas to swath_across using true;
create policy tenant on band_formulas to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on band_formulas to swath_across;
grant select, insert, update, delete on band_formulas to swath_app;

create table billing_dead_letters (
  id uuid not null,
  kind text not null,
  organization_id uuid,
  data jsonb not null,
  attempts integer not null,
  last_error text not null,
  created_at timestamp with time zone not null,
  replayed_at timestamp with time zone,
  discarded_at timestamp with time zone,
  constraint billing_dead_letters_pkey PRIMARY KEY (id)
);
CREATE INDEX billing_dead_letters_waiting ON public.billing_dead_letters USING btree (created_at) WHERE (replayed_at IS NULL);
comment on table billing_dead_letters is 'directory';
alter table billing_dead_letters enable row level security;
alter table billing_dead_letters force row level security;
create policy across on billing_dead_letters to swath_across using true;
grant select, insert, update, delete on billing_dead_letters to swath_across;

create table billing_deadlines (
  organization_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  due_at timestamp with time zone not null,
  constraint billing_deadlines_pkey PRIMARY KEY (organization_id, kind, subject_id)
);
CREATE INDEX billing_deadlines_due ON public.billing_deadlines USING btree (due_at);
comment on table billing_deadlines is 'tenant';
alter table billing_deadlines enable row level security;
alter table billing_deadlines force row level security;
create policy across on billing_deadlines to swath_across using true;
create policy tenant on billing_deadlines to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on billing_deadlines to swath_across;
grant select, insert, update, delete on billing_deadlines to swath_app;

create table card_authorisations (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid,
  payment_method_id uuid not null,
  amount_credits bigint not null,
  reference_type text not null,
  reference_id text collate "C" not null,
  state text not null,
  generation integer not null default 1,
  intent text,
  capture_before timestamp with time zone,
  hold_id uuid,
  captured_credits bigint not null default 0,
  refunded_credits bigint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint card_authorisations_pkey PRIMARY KEY (organization_id, id),
  constraint card_authorisations_organization_id_hold_id_fkey FOREIGN KEY (organization_id, hold_id) REFERENCES credit_holds(organization_id, id),
  constraint card_authorisations_organization_id_payment_method_id_fkey FOREIGN KEY (organization_id, payment_method_id) REFERENCES payment_methods(organization_id, id),
  constraint card_authorisations_amount_credits_check CHECK ((amount_credits > 0)),
  constraint card_authorisations_check CHECK (((captured_credits >= 0) AND (captured_credits <= amount_credits))),
  constraint card_authorisations_check1 CHECK (((refunded_credits >= 0) AND (refunded_credits <= captured_credits))),
  constraint card_authorisations_state_check CHECK ((state = ANY (ARRAY['starting'::text, 'action'::text, 'authorised'::text, 'capturing'::text, 'captured'::text, 'voiding'::text, 'voided'::text])))
);
CREATE UNIQUE INDEX card_authorisations_hold ON public.card_authorisations USING btree (organization_id, hold_id) WHERE (hold_id IS NOT NULL);
CREATE INDEX card_authorisations_open ON public.card_authorisations USING btree (organization_id, user_id) WHERE (hold_id IS NULL);
comment on table card_authorisations is 'tenant';
alter table card_authorisations enable row level security;
alter table card_authorisations force row level security;
create policy across on card_authorisations to swath_across using true;
create policy tenant on card_authorisations to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on card_authorisations to swath_across;
grant select, insert, update, delete on card_authorisations to swath_app;

create table charge_line_settlements (
  organization_id uuid not null,
  hold_id uuid not null,
  line integer not null,
  amount_credits bigint not null,
  settled_at timestamp with time zone not null,
  constraint charge_line_settlements_pkey PRIMARY KEY (organization_id, hold_id, line),
  constraint charge_line_settlements_organization_id_hold_id_line_fkey FOREIGN KEY (organization_id, hold_id, line) REFERENCES charge_lines(organization_id, hold_id, line),
  constraint charge_line_settlements_amount_credits_check CHECK ((amount_credits >= 0))
);
CREATE INDEX charge_line_settlements_time ON public.charge_line_settlements USING btree (organization_id, settled_at);
comment on table charge_line_settlements is 'tenant';
alter table charge_line_settlements enable row level security;
alter table charge_line_settlements force row level security;
create policy across on charge_line_settlements to swath_across using true;
create policy tenant on charge_line_settlements to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on charge_line_settlements to swath_across;
grant select, insert on charge_line_settlements to swath_app;
CREATE TRIGGER charge_line_settlements_immutable BEFORE DELETE OR UPDATE ON public.charge_line_settlements FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER charge_line_settlements_kept BEFORE TRUNCATE ON public.charge_line_settlements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table charge_lines (
  organization_id uuid not null,
  hold_id uuid not null,
  line integer not null,
  product text not null,
  description text not null,
  unit text not null,
  measured_quantity numeric not null,
  charged_quantity numeric not null,
  minimum_quantity numeric not null,
  list_rate_credits numeric not null,
  rate_credits numeric not null,
  priced_on date not null,
  discount_credits bigint not null,
  amount_credits bigint not null,
  commitment_id uuid,
  constraint charge_lines_pkey PRIMARY KEY (organization_id, hold_id, line),
  constraint charge_lines_organization_id_hold_id_fkey FOREIGN KEY (organization_id, hold_id) REFERENCES credit_holds(organization_id, id),
  constraint charge_lines_amount_credits_check CHECK ((amount_credits >= 0)),
  constraint charge_lines_check CHECK ((charged_quantity >= measured_quantity)),
  constraint charge_lines_discount_credits_check CHECK ((discount_credits >= 0))
);
CREATE INDEX charge_lines_commitment ON public.charge_lines USING btree (organization_id, commitment_id) WHERE (commitment_id IS NOT NULL);
comment on table charge_lines is 'tenant';
alter table charge_lines enable row level security;
alter table charge_lines force row level security;
create policy across on charge_lines to swath_across using true;
create policy tenant on charge_lines to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on charge_lines to swath_across;
grant select, insert on charge_lines to swath_app;
CREATE TRIGGER charge_lines_immutable BEFORE DELETE OR UPDATE ON public.charge_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER charge_lines_kept BEFORE TRUNCATE ON public.charge_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table clip_downloads (
  organization_id uuid not null,
  job_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null,
  mosaic_type text not null,
  actor text not null,
  user_agent text,
  requester_ip text,
  constraint clip_downloads_pkey PRIMARY KEY (organization_id, job_id, id),
  constraint clip_downloads_organization_id_job_id_fkey FOREIGN KEY (organization_id, job_id) REFERENCES processing_jobs(organization_id, id)
);
comment on table clip_downloads is 'tenant';
alter table clip_downloads enable row level security;
alter table clip_downloads force row level security;
create policy across on clip_downloads to swath_across using true;
create policy tenant on clip_downloads to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on clip_downloads to swath_across;
grant select, insert on clip_downloads to swath_app;

create table collections (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  description text,
  color text,
  show_on_map boolean not null,
  layer_order integer not null,
  auto_created boolean not null,
  source_type text,
  source_id text collate "C",
  created_by text,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint collections_pkey PRIMARY KEY (organization_id, id),
  constraint collections_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id)
);
CREATE UNIQUE INDEX collections_name ON public.collections USING btree (organization_id, project_id, lower(name)) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX collections_source ON public.collections USING btree (organization_id, source_type, source_id) WHERE (auto_created AND (deleted_at IS NULL));
comment on table collections is 'tenant';
alter table collections enable row level security;
alter table collections force row level security;
create policy across on collections to swath_across using true;
create policy tenant on collections to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on collections to swath_across;
grant select, insert, update, delete on collections to swath_app;

create table commitment_versions (
  organization_id uuid not null,
  commitment_id uuid not null,
  version integer not null,
  name text not null,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone not null,
  committed_cents bigint not null,
  carried_in_cents bigint not null,
  products jsonb not null,
  reason text,
  actor text not null,
  created_at timestamp with time zone not null,
  constraint commitment_versions_pkey PRIMARY KEY (organization_id, commitment_id, version),
  constraint commitment_versions_organization_id_commitment_id_fkey FOREIGN KEY (organization_id, commitment_id) REFERENCES commitments(organization_id, id)
);
comment on table commitment_versions is 'tenant';
alter table commitment_versions enable row level security;
alter table commitment_versions force row level security;
create policy across on commitment_versions to swath_across using true;
create policy tenant on commitment_versions to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on commitment_versions to swath_across;
grant select, insert on commitment_versions to swath_app;
CREATE TRIGGER commitment_versions_immutable BEFORE DELETE OR UPDATE ON public.commitment_versions FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table commitments (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone not null,
  committed_cents bigint not null,
  carried_in_cents bigint not null default 0,
  version integer not null,
  closed_at timestamp with time zone,
  delivered_cents bigint,
  shortfall_cents bigint,
  true_up_entry_id uuid,
  invoice_id uuid,
  created_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint commitments_pkey PRIMARY KEY (organization_id, id),
  constraint commitments_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  constraint commitments_carried_in_cents_check CHECK ((carried_in_cents >= 0)),
  constraint commitments_check CHECK ((period_end > period_start)),
  constraint commitments_committed_cents_check CHECK ((committed_cents >= 0))
);
comment on table commitments is 'tenant';
alter table commitments enable row level security;
alter table commitments force row level security;
create policy across on commitments to swath_across using true;
create policy tenant on commitments to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on commitments to swath_across;
grant select, insert, update, delete on commitments to swath_app;

create table constellation_collects (
  world_id text collate "C" not null,
  task_id text collate "C" not null,
  number integer not null,
  satellite text collate "C" not null,
  acquired_at timestamp with time zone not null,
  cloud_pct double precision not null,
  is_accepted boolean not null,
  is_shared boolean not null,
  opportunity jsonb not null,
  constraint constellation_collects_pkey PRIMARY KEY (world_id, task_id, number),
  constraint constellation_collects_world_id_task_id_fkey FOREIGN KEY (world_id, task_id) REFERENCES constellation_tasks(world_id, id) ON DELETE CASCADE,
  constraint constellation_collects_cloud_pct_check CHECK (((cloud_pct >= (0)::double precision) AND (cloud_pct <= (100)::double precision)))
);
CREATE INDEX constellation_collects_pass ON public.constellation_collects USING btree (world_id, satellite, acquired_at);
comment on table constellation_collects is 'directory';
alter table constellation_collects enable row level security;
alter table constellation_collects force row level security;
create policy across on constellation_collects to swath_across using true;
grant select, insert, update, delete on constellation_collects to swath_across;

create table constellation_schedules (
  world_id text collate "C" not null,
  satellite text collate "C" not null,
  constraint constellation_schedules_pkey PRIMARY KEY (world_id, satellite)
);
comment on table constellation_schedules is 'directory';
alter table constellation_schedules enable row level security;
alter table constellation_schedules force row level security;
create policy across on constellation_schedules to swath_across using true;
grant select, insert, update, delete on constellation_schedules to swath_across;

create table constellation_studies (
  world_id text collate "C" not null,
  id text collate "C" not null,
  requested_at timestamp with time zone not null,
  constraint constellation_studies_pkey PRIMARY KEY (world_id, id)
);
comment on table constellation_studies is 'directory';
alter table constellation_studies enable row level security;
alter table constellation_studies force row level security;
create policy across on constellation_studies to swath_across using true;
grant select, insert, update, delete on constellation_studies to swath_across;

create table constellation_tasks (
  world_id text collate "C" not null,
  id text collate "C" not null,
  product text not null,
  request jsonb not null,
  replan boolean not null,
  placed_at timestamp with time zone not null,
  cancelled_at timestamp with time zone,
  released_at timestamp with time zone,
  constraint constellation_tasks_pkey PRIMARY KEY (world_id, id)
);
comment on table constellation_tasks is 'directory';
alter table constellation_tasks enable row level security;
alter table constellation_tasks force row level security;
create policy across on constellation_tasks to swath_across using true;
grant select, insert, update, delete on constellation_tasks to swath_across;

create table credit_adjustments (
  id uuid not null,
  organization_id uuid not null,
  amount_credits bigint not null,
  reason text not null,
  status text not null,
  requested_by uuid not null,
  requested_at timestamp with time zone not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  decision_reason text,
  transaction_id uuid,
  constraint credit_adjustments_pkey PRIMARY KEY (id),
  constraint credit_adjustments_amount_credits_check CHECK ((amount_credits <> 0)),
  constraint credit_adjustments_check CHECK (((status = 'pending'::text) = (decided_by IS NULL))),
  constraint credit_adjustments_check1 CHECK (((status <> 'approved'::text) OR (decided_by <> requested_by))),
  constraint credit_adjustments_check2 CHECK (((status = 'approved'::text) = (transaction_id IS NOT NULL))),
  constraint credit_adjustments_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);
CREATE INDEX credit_adjustments_newest ON public.credit_adjustments USING btree (status, requested_at DESC, id);
comment on table credit_adjustments is 'directory';
alter table credit_adjustments enable row level security;
alter table credit_adjustments force row level security;
create policy across on credit_adjustments to swath_across using true;
grant select, insert, update, delete on credit_adjustments to swath_across;

create table credit_hold_lots (
  organization_id uuid not null,
  hold_id uuid not null,
  lot_id uuid not null,
  amount_credits bigint not null,
  constraint credit_hold_lots_pkey PRIMARY KEY (organization_id, hold_id, lot_id),
  constraint credit_hold_lots_organization_id_hold_id_fkey FOREIGN KEY (organization_id, hold_id) REFERENCES credit_holds(organization_id, id),
  constraint credit_hold_lots_organization_id_lot_id_fkey FOREIGN KEY (organization_id, lot_id) REFERENCES credit_lots(organization_id, id),
  constraint credit_hold_lots_amount_credits_check CHECK ((amount_credits > 0))
);
comment on table credit_hold_lots is 'tenant';
alter table credit_hold_lots enable row level security;
alter table credit_hold_lots force row level security;
create policy across on credit_hold_lots to swath_across using true;
create policy tenant on credit_hold_lots to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on credit_hold_lots to swath_across;
grant select, insert on credit_hold_lots to swath_app;
CREATE TRIGGER credit_hold_lots_immutable BEFORE DELETE OR UPDATE ON public.credit_hold_lots FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_hold_lots_kept BEFORE TRUNCATE ON public.credit_hold_lots FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table credit_hold_resolutions (
  organization_id uuid not null,
  hold_id uuid not null,
  outcome text not null,
  settled_credits bigint not null,
  released_credits bigint not null,
  created_at timestamp with time zone not null,
  constraint credit_hold_resolutions_pkey PRIMARY KEY (organization_id, hold_id),
  constraint credit_hold_resolutions_organization_id_hold_id_fkey FOREIGN KEY (organization_id, hold_id) REFERENCES credit_holds(organization_id, id),
  constraint credit_hold_resolutions_outcome_check CHECK ((outcome = ANY (ARRAY['settled'::text, 'released'::text, 'expired'::text]))),
  constraint credit_hold_resolutions_released_credits_check CHECK ((released_credits >= 0)),
  constraint credit_hold_resolutions_settled_credits_check CHECK ((settled_credits >= 0))
);
comment on table credit_hold_resolutions is 'tenant';
alter table credit_hold_resolutions enable row level security;
alter table credit_hold_resolutions force row level security;
create policy across on credit_hold_resolutions to swath_across using true;
create policy tenant on credit_hold_resolutions to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on credit_hold_resolutions to swath_across;
grant select, insert on credit_hold_resolutions to swath_app;
CREATE TRIGGER credit_hold_resolutions_immutable BEFORE DELETE OR UPDATE ON public.credit_hold_resolutions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_hold_resolutions_kept BEFORE TRUNCATE ON public.credit_hold_resolutions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table credit_holds (
  organization_id uuid not null,
  id uuid not null,
  amount_credits bigint not null,
  reference_type text not null,
  reference_id text collate "C" not null,
  user_id uuid,
  created_at timestamp with time zone not null,
  mode text not null default 'credit'::text,
  expires_at timestamp with time zone,
  api_key_id uuid,
  constraint credit_holds_pkey PRIMARY KEY (organization_id, id),
  constraint credit_holds_amount_credits_check CHECK ((amount_credits > 0)),
  constraint credit_holds_mode_check CHECK ((mode = ANY (ARRAY['credit'::text, 'card'::text, 'enterprise'::text])))
);
CREATE INDEX credit_holds_enterprise ON public.credit_holds USING btree (organization_id, created_at) WHERE (mode = 'enterprise'::text);
CREATE INDEX credit_holds_member ON public.credit_holds USING btree (organization_id, user_id, created_at) WHERE (user_id IS NOT NULL);
CREATE INDEX credit_holds_reference ON public.credit_holds USING btree (organization_id, reference_type, reference_id);
comment on table credit_holds is 'tenant';
alter table credit_holds enable row level security;
alter table credit_holds force row level security;
create policy across on credit_holds to swath_across using true;
create policy tenant on credit_holds to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on credit_holds to swath_across;
grant select, insert on credit_holds to swath_app;
CREATE TRIGGER credit_holds_immutable BEFORE DELETE OR UPDATE ON public.credit_holds FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_holds_kept BEFORE TRUNCATE ON public.credit_holds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table credit_lots (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  priority integer not null,
  expires_at timestamp with time zone,
  granted_credits bigint not null,
  available_credits bigint not null,
  held_credits bigint not null default 0,
  captured_credits bigint not null default 0,
  expired_credits bigint not null default 0,
  refunded_credits bigint not null default 0,
  created_at timestamp with time zone not null,
  constraint credit_lots_pkey PRIMARY KEY (organization_id, id),
  constraint credit_lots_available_credits_check CHECK ((available_credits >= 0)),
  constraint credit_lots_captured_credits_check CHECK ((captured_credits >= 0)),
  constraint credit_lots_check CHECK ((granted_credits = ((((available_credits + held_credits) + captured_credits) + expired_credits) + refunded_credits))),
  constraint credit_lots_expired_credits_check CHECK ((expired_credits >= 0)),
  constraint credit_lots_granted_credits_check CHECK ((granted_credits > 0)),
  constraint credit_lots_held_credits_check CHECK ((held_credits >= 0)),
  constraint credit_lots_refunded_credits_check CHECK ((refunded_credits >= 0))
);
CREATE INDEX credit_lots_open ON public.credit_lots USING btree (organization_id, priority, expires_at, created_at) WHERE (available_credits > 0);
comment on table credit_lots is 'tenant';
alter table credit_lots enable row level security;
alter table credit_lots force row level security;
create policy across on credit_lots to swath_across using true;
create policy tenant on credit_lots to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on credit_lots to swath_across;
grant select, insert, update on credit_lots to swath_app;

create table daily_topup_limits (
  organization_id uuid not null,
  limit_cents bigint not null,
  updated_by text not null,
  updated_at timestamp with time zone not null,
  constraint daily_topup_limits_pkey PRIMARY KEY (organization_id),
  constraint daily_topup_limits_limit_cents_check CHECK ((limit_cents > 0))
);
comment on table daily_topup_limits is 'tenant';
alter table daily_topup_limits enable row level security;
alter table daily_topup_limits force row level security;
create policy across on daily_topup_limits to swath_across using true;
create policy tenant on daily_topup_limits to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on daily_topup_limits to swath_across;
grant select, insert, update, delete on daily_topup_limits to swath_app;

create table device_codes (
  device_code_hash text collate "C" not null,
  user_code_hash text collate "C" not null,
  client_id text not null,
  address text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  interval_seconds integer not null,
  last_polled_at timestamp with time zone,
  decision text,
  decided_at timestamp with time zone,
  user_id uuid,
  browser_session_id uuid,
  used_at timestamp with time zone,
  session_id uuid,
  scopes text[],
  resources text[],
  organization_id uuid,
  constraint device_codes_pkey PRIMARY KEY (device_code_hash),
  constraint device_codes_user_code_hash_key UNIQUE (user_code_hash),
  constraint device_codes_browser_session_id_fkey FOREIGN KEY (browser_session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint device_codes_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint device_codes_check CHECK ((((decision IS NULL) = (decided_at IS NULL)) AND ((decision IS NULL) = (user_id IS NULL)))),
  constraint device_codes_check1 CHECK (((decision IS NULL) = (browser_session_id IS NULL))),
  constraint device_codes_check2 CHECK (((used_at IS NULL) = (session_id IS NULL))),
  constraint device_codes_check3 CHECK (((used_at IS NULL) OR (decision = 'ALLOWED'::text))),
  constraint device_codes_decision_check CHECK ((decision = ANY (ARRAY['ALLOWED'::text, 'DENIED'::text]))),
  constraint device_codes_interval_seconds_check CHECK ((interval_seconds > 0))
);
CREATE INDEX device_codes_browser ON public.device_codes USING btree (browser_session_id) WHERE (browser_session_id IS NOT NULL);
CREATE INDEX device_codes_expiry ON public.device_codes USING btree (expires_at);
CREATE INDEX device_codes_session ON public.device_codes USING btree (session_id) WHERE (session_id IS NOT NULL);
comment on table device_codes is 'directory';
alter table device_codes enable row level security;
alter table device_codes force row level security;
create policy across on device_codes to swath_across using true;
grant select, insert, update, delete on device_codes to swath_across;

create table document_series (
  seller text not null,
  series text not null,
  last_sequence bigint not null,
  constraint document_series_pkey PRIMARY KEY (seller, series),
  constraint document_series_last_sequence_check CHECK ((last_sequence > 0))
);
comment on table document_series is 'shared';
grant select, insert, update, delete on document_series to swath_across;
grant select, insert, update on document_series to swath_app;

create table domain_directory (
  domain text collate "C" not null,
  organization_id uuid not null,
  checked_at timestamp with time zone not null,
  constraint domain_directory_pkey PRIMARY KEY (domain)
);
CREATE INDEX domain_directory_checked ON public.domain_directory USING btree (checked_at);
CREATE INDEX domain_directory_organization ON public.domain_directory USING btree (organization_id);
comment on table domain_directory is 'directory';
alter table domain_directory enable row level security;
alter table domain_directory force row level security;
create policy across on domain_directory to swath_across using true;
grant select, insert, update, delete on domain_directory to swath_across;

create table egress_journal (
  organization_id uuid not null,
  day date not null,
  subject_type text collate "C" not null,
  subject_id uuid not null,
  share_link text collate "C" not null,
  bytes bigint not null,
  transfers bigint not null,
  updated_at timestamp with time zone not null,
  constraint egress_journal_pkey PRIMARY KEY (organization_id, day, subject_type, subject_id, share_link),
  constraint egress_journal_bytes_check CHECK ((bytes >= 0)),
  constraint egress_journal_subject_type_check CHECK ((subject_type = ANY (ARRAY['asset'::text, 'item'::text, 'order'::text]))),
  constraint egress_journal_transfers_check CHECK ((transfers >= 0))
);
CREATE INDEX egress_journal_link ON public.egress_journal USING btree (organization_id, share_link) WHERE (share_link <> ''::text);
comment on table egress_journal is 'tenant';
alter table egress_journal enable row level security;
alter table egress_journal force row level security;
create policy across on egress_journal to swath_across using true;
create policy tenant on egress_journal to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on egress_journal to swath_across;
grant select, insert, update on egress_journal to swath_app;

create table email_changes (
  id uuid not null,
  user_id uuid not null,
  old_email text not null,
  new_email text not null,
  requested_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  undone_at timestamp with time zone,
  constraint email_changes_pkey PRIMARY KEY (id),
  constraint email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX email_changes_user ON public.email_changes USING btree (user_id);
comment on table email_changes is 'directory';
alter table email_changes enable row level security;
alter table email_changes force row level security;
create policy across on email_changes to swath_across using true;
grant select, insert, update, delete on email_changes to swath_across;

create table emails (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  state text not null,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone,
  recipient text,
  error text,
  finished_at timestamp with time zone,
  created_at timestamp with time zone not null,
  attachments jsonb not null default '[]'::jsonb,
  lease_until timestamp with time zone,
  constraint emails_pkey PRIMARY KEY (organization_id, id),
  constraint emails_attempts_check CHECK ((attempts >= 0)),
  constraint emails_check CHECK (((state = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint emails_check1 CHECK (((state = 'pending'::text) = (finished_at IS NULL))),
  constraint emails_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX emails_due ON public.emails USING btree (organization_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX emails_finished ON public.emails USING btree (organization_id, finished_at) WHERE (finished_at IS NOT NULL);
comment on table emails is 'tenant';
alter table emails enable row level security;
alter table emails force row level security;
create policy across on emails to swath_across using true;
create policy tenant on emails to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on emails to swath_across;
grant select, insert, update, delete on emails to swath_app;

create table eula_acceptances (
  organization_id uuid not null,
  id uuid not null,
  eula_id uuid not null,
  document_id uuid not null,
  revision integer not null,
  is_accepted boolean not null,
  title text not null,
  version text not null,
  content_sha256 text not null,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamp with time zone not null,
  constraint eula_acceptances_pkey PRIMARY KEY (organization_id, id),
  constraint eula_acceptances_organization_id_document_id_revision_key UNIQUE (organization_id, document_id, revision),
  constraint eula_acceptances_revision_check CHECK ((revision > 0))
);
CREATE INDEX eula_acceptances_newest ON public.eula_acceptances USING btree (organization_id, created_at DESC, document_id, revision DESC);
comment on table eula_acceptances is 'tenant';
alter table eula_acceptances enable row level security;
alter table eula_acceptances force row level security;
create policy across on eula_acceptances to swath_across using true;
create policy tenant on eula_acceptances to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on eula_acceptances to swath_across;
grant select, insert on eula_acceptances to swath_app;

create table event_counts (
  organization_id uuid not null,
  day date not null,
  kind text not null,
  count bigint not null,
  constraint event_counts_pkey PRIMARY KEY (organization_id, day, kind)
);
comment on table event_counts is 'tenant';
alter table event_counts enable row level security;
alter table event_counts force row level security;
create policy across on event_counts to swath_across using true;
create policy tenant on event_counts to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on event_counts to swath_across;
grant select, insert, update on event_counts to swath_app;

create table event_deliveries (
  organization_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  subscription_id uuid not null,
  state text not null default 'pending'::text,
  attempts integer not null default 0,
  next_at timestamp with time zone,
  created_at timestamp with time zone not null,
  scheduled_at timestamp with time zone not null,
  attempt_id uuid,
  finished_at timestamp with time zone,
  sequence bigint,
  lease_until timestamp with time zone,
  constraint event_deliveries_pkey PRIMARY KEY (organization_id, id),
  constraint event_deliveries_organization_id_event_id_subscription_id_key UNIQUE (organization_id, event_id, subscription_id),
  constraint event_deliveries_organization_id_subscription_id_fkey1 FOREIGN KEY (organization_id, subscription_id) REFERENCES event_subscriptions(organization_id, id) ON DELETE CASCADE,
  constraint event_deliveries_state_check1 CHECK ((state = ANY (ARRAY['pending'::text, 'delivering'::text, 'succeeded'::text, 'retrying'::text, 'dead'::text, 'cancelled'::text])))
);
CREATE INDEX event_deliveries_due ON public.event_deliveries USING btree (organization_id, subscription_id, next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX event_deliveries_finished ON public.event_deliveries USING btree (organization_id, finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX event_deliveries_in_progress ON public.event_deliveries USING btree (organization_id, subscription_id, next_at) WHERE (state = 'delivering'::text);
CREATE INDEX event_deliveries_newest ON public.event_deliveries USING btree (organization_id, subscription_id, created_at DESC, id DESC);
comment on table event_deliveries is 'tenant';
alter table event_deliveries enable row level security;
alter table event_deliveries force row level security;
create policy across on event_deliveries to swath_across using true;
create policy tenant on event_deliveries to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on event_deliveries to swath_across;
grant select, insert, update, delete on event_deliveries to swath_app;

create table event_delivery_attempts (
  organization_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  endpoint_url text not null,
  is_delivered boolean not null,
  http_status integer,
  error text,
  response_headers jsonb not null,
  response_body text,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  constraint event_delivery_attempts_pkey PRIMARY KEY (organization_id, id)
) partition by RANGE (id);
CREATE INDEX event_delivery_attempts_delivery ON ONLY public.event_delivery_attempts USING btree (organization_id, delivery_id, started_at);
comment on table event_delivery_attempts is 'tenant';
alter table event_delivery_attempts enable row level security;
alter table event_delivery_attempts force row level security;
create policy across on event_delivery_attempts to swath_across using true;
create policy tenant on event_delivery_attempts to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on event_delivery_attempts to swath_across;
grant select, insert on event_delivery_attempts to swath_app;

create table event_delivery_log (
  organization_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  subscription_id uuid not null,
  state text not null,
  attempts integer not null,
  created_at timestamp with time zone not null,
  scheduled_at timestamp with time zone not null,
  attempt_id uuid,
  finished_at timestamp with time zone,
  sequence bigint,
  log_id uuid not null,
  constraint event_delivery_log_pkey PRIMARY KEY (organization_id, id, log_id)
) partition by RANGE (log_id);
CREATE INDEX event_delivery_log_dead ON ONLY public.event_delivery_log USING btree (organization_id, finished_at) WHERE (state = 'dead'::text);
CREATE INDEX event_delivery_log_newest ON ONLY public.event_delivery_log USING btree (organization_id, subscription_id, created_at DESC, id DESC);
comment on table event_delivery_log is 'tenant';
alter table event_delivery_log enable row level security;
alter table event_delivery_log force row level security;
create policy across on event_delivery_log to swath_across using true;
create policy tenant on event_delivery_log to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on event_delivery_log to swath_across;
grant select, insert, update, delete on event_delivery_log to swath_app;

create table event_sequences (
  organization_id uuid not null,
  last_sequence bigint not null,
  numbered_until uuid,
  constraint event_sequences_pkey PRIMARY KEY (organization_id)
);
comment on table event_sequences is 'tenant';
alter table event_sequences enable row level security;
alter table event_sequences force row level security;
create policy across on event_sequences to swath_across using true;
create policy tenant on event_sequences to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on event_sequences to swath_across;
grant select, insert, update, delete on event_sequences to swath_app;

create table event_subscriptions (
  organization_id uuid not null,
  id uuid not null,
  event_type text not null,
  endpoint_url text not null,
  filter_config jsonb not null default '{}'::jsonb,
  description text,
  active boolean not null default true,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  created_by uuid,
  sealed_secret text,
  previous_sealed_secret text,
  previous_secret_expires_at timestamp with time zone,
  sealed_headers text,
  failure_count integer not null default 0,
  failing_since timestamp with time zone,
  failure_warned_at timestamp with time zone,
  held_until timestamp with time zone,
  disabled_reason text,
  webhook_id uuid,
  project_id uuid,
  last_sequence bigint not null default 0,
  created_by_key uuid,
  constraint event_subscriptions_pkey PRIMARY KEY (organization_id, id),
  constraint event_subscriptions_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE,
  constraint event_subscriptions_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text])))
);
CREATE INDEX event_subscriptions_type ON public.event_subscriptions USING btree (organization_id, event_type) WHERE active;
CREATE INDEX event_subscriptions_webhook ON public.event_subscriptions USING btree (organization_id, webhook_id) WHERE (webhook_id IS NOT NULL);
comment on table event_subscriptions is 'tenant';
alter table event_subscriptions enable row level security;
alter table event_subscriptions force row level security;
create policy across on event_subscriptions to swath_across using true;
create policy tenant on event_subscriptions to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on event_subscriptions to swath_across;
grant select, insert, update, delete on event_subscriptions to swath_app;

create table events (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  entity_type text not null,
  entity_id text not null,
  data jsonb not null,
  actor_kind text not null,
  actor_id text not null,
  operation text not null,
  request_id text not null,
  created_at timestamp with time zone not null,
  project_id uuid,
  sequence bigint,
  constraint events_pkey PRIMARY KEY (organization_id, id)
) partition by RANGE (id);
CREATE INDEX events_entity ON ONLY public.events USING btree (organization_id, entity_type, entity_id);
CREATE INDEX events_not_numbered ON ONLY public.events USING btree (organization_id, id) WHERE (sequence IS NULL);
CREATE INDEX events_project ON ONLY public.events USING btree (organization_id, project_id, id DESC) WHERE (project_id IS NOT NULL);
CREATE INDEX events_sequence ON ONLY public.events USING btree (organization_id, sequence);
comment on table events is 'tenant';
alter table events enable row level security;
alter table events force row level security;
create policy across on events to swath_across using true;
create policy tenant on events to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on events to swath_across;
grant select, insert on events to swath_app;

create table feature_flag_switches (
  organization_id uuid not null,
  flag text not null,
  enabled boolean not null,
  updated_at timestamp with time zone not null,
  constraint feature_flag_switches_pkey PRIMARY KEY (organization_id, flag)
);
comment on table feature_flag_switches is 'tenant';
alter table feature_flag_switches enable row level security;
alter table feature_flag_switches force row level security;
create policy across on feature_flag_switches to swath_across using true;
create policy tenant on feature_flag_switches to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on feature_flag_switches to swath_across;
grant select, insert, update, delete on feature_flag_switches to swath_app;

create table feature_flags (
  flag text not null,
  percent integer not null,
  updated_at timestamp with time zone not null,
  constraint feature_flags_pkey PRIMARY KEY (flag),
  constraint feature_flags_percent_check CHECK (((percent >= 0) AND (percent <= 100)))
);
comment on table feature_flags is 'shared';
grant select, insert, update, delete on feature_flags to swath_across;
grant select on feature_flags to swath_app;

create table federated_identities (
  organization_id uuid not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  last_sign_in_at timestamp with time zone not null,
  amr text[] not null,
  acr text,
  constraint federated_identities_pkey PRIMARY KEY (organization_id, issuer, subject)
);
CREATE UNIQUE INDEX federated_identities_user ON public.federated_identities USING btree (organization_id, issuer, user_id);
comment on table federated_identities is 'tenant';
alter table federated_identities enable row level security;
alter table federated_identities force row level security;
create policy across on federated_identities to swath_across using true;
create policy tenant on federated_identities to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on federated_identities to swath_across;
grant select, insert, update, delete on federated_identities to swath_app;

create table first_events (
  organization_id uuid not null,
  entity_type text not null,
  entity_id text not null,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamp with time zone not null,
  constraint first_events_pkey PRIMARY KEY (organization_id, entity_type, entity_id)
);
comment on table first_events is 'tenant';
alter table first_events enable row level security;
alter table first_events force row level security;
create policy across on first_events to swath_across using true;
create policy tenant on first_events to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on first_events to swath_across;
grant select, insert on first_events to swath_app;

create table free_tier_decisions (
  organization_id uuid not null,
  state text not null,
  decided_by text not null,
  decided_at timestamp with time zone not null,
  constraint free_tier_decisions_pkey PRIMARY KEY (organization_id),
  constraint free_tier_decisions_state_check CHECK ((state = ANY (ARRAY['approved'::text, 'revoked'::text])))
);
comment on table free_tier_decisions is 'tenant';
alter table free_tier_decisions enable row level security;
alter table free_tier_decisions force row level security;
create policy across on free_tier_decisions to swath_across using true;
create policy tenant on free_tier_decisions to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on free_tier_decisions to swath_across;
grant select, insert, update, delete on free_tier_decisions to swath_app;

create table given_downloads (
  organization_id uuid not null,
  name text collate "C" not null,
  sealed_url text not null,
  expires_at timestamp with time zone not null,
  constraint given_downloads_pkey PRIMARY KEY (organization_id, name)
);
CREATE INDEX given_downloads_expiry ON public.given_downloads USING btree (organization_id, expires_at);
comment on table given_downloads is 'tenant';
alter table given_downloads enable row level security;
alter table given_downloads force row level security;
create policy across on given_downloads to swath_across using true;
create policy tenant on given_downloads to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on given_downloads to swath_across;
grant select, insert, update, delete on given_downloads to swath_app;

create table idempotency_claims (
  organization_id uuid not null,
  operation text collate "C" not null,
  key text collate "C" not null,
  body_hash text not null,
  holder uuid not null,
  recovery_point text not null default 'claimed'::text,
  recovery_data jsonb not null default '{}'::jsonb,
  response jsonb,
  locked_at timestamp with time zone default statement_timestamp(),
  created_at timestamp with time zone not null default statement_timestamp(),
  principal text collate "C",
  constraint idempotency_claims_pkey PRIMARY KEY (organization_id, operation, key)
);
comment on table idempotency_claims is 'tenant';
alter table idempotency_claims enable row level security;
alter table idempotency_claims force row level security;
create policy across on idempotency_claims to swath_across using true;
create policy tenant on idempotency_claims to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on idempotency_claims to swath_across;
grant select, insert, update, delete on idempotency_claims to swath_app;

create table identity_providers (
  organization_id uuid not null,
  id uuid not null,
  issuer text not null,
  client_id text not null,
  sealed_client_secret text,
  scopes text[] not null,
  domains text[] not null,
  roles_claim text,
  mappings jsonb not null,
  default_role text not null,
  mode text not null,
  email_trust text not null,
  just_in_time boolean not null,
  emergency_access uuid[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint identity_providers_pkey PRIMARY KEY (organization_id),
  constraint identity_providers_default_role_check CHECK ((default_role = ANY (ARRAY['admin'::text, 'billing'::text, 'member'::text]))),
  constraint identity_providers_email_trust_check CHECK ((email_trust = ANY (ARRAY['verified_claim'::text, 'domain'::text]))),
  constraint identity_providers_mode_check CHECK ((mode = ANY (ARRAY['optional'::text, 'required'::text])))
);
comment on table identity_providers is 'tenant';
alter table identity_providers enable row level security;
alter table identity_providers force row level security;
create policy across on identity_providers to swath_across using true;
create policy tenant on identity_providers to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on identity_providers to swath_across;
grant select, insert, update, delete on identity_providers to swath_app;

create table impersonations (
  token_hash text collate "C" not null,
  id uuid not null,
  administrator_id uuid not null,
  organization_id uuid not null,
  user_id uuid not null,
  reason text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  support_access_id uuid,
  constraint impersonations_pkey PRIMARY KEY (token_hash),
  constraint impersonations_id_key UNIQUE (id),
  constraint impersonations_administrator_id_fkey FOREIGN KEY (administrator_id) REFERENCES users(id),
  constraint impersonations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table impersonations is 'directory';
alter table impersonations enable row level security;
alter table impersonations force row level security;
create policy across on impersonations to swath_across using true;
grant select, insert, update, delete on impersonations to swath_across;

create table installation (
  id integer not null,
  secret_fingerprint text not null,
  storage text,
  receipt_keys jsonb not null default '[]'::jsonb,
  constraint installation_pkey PRIMARY KEY (id),
  constraint installation_id_check CHECK ((id = 1))
);
comment on table installation is 'directory';
alter table installation enable row level security;
alter table installation force row level security;
create policy across on installation to swath_across using true;
grant select, insert, update, delete on installation to swath_across;

create table invitation_token_directory (
  token_hash text collate "C" not null,
  organization_id uuid not null,
  invitation_id uuid not null,
  constraint invitation_token_directory_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX invitation_token_directory_invitation ON public.invitation_token_directory USING btree (organization_id, invitation_id);
comment on table invitation_token_directory is 'directory';
alter table invitation_token_directory enable row level security;
alter table invitation_token_directory force row level security;
create policy across on invitation_token_directory to swath_across using true;
grant select, insert, update, delete on invitation_token_directory to swath_across;

create table invitations (
  organization_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text collate "C" not null,
  role text not null,
  projects jsonb not null,
  state text not null,
  token_hash text collate "C",
  invited_by uuid not null,
  accepted_by uuid,
  created_at timestamp with time zone not null,
  renewed_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  decided_at timestamp with time zone,
  constraint invitations_pkey PRIMARY KEY (organization_id, id),
  constraint invitations_check CHECK (((state = 'pending'::text) = (decided_at IS NULL))),
  constraint invitations_check1 CHECK (((state = 'accepted'::text) = (accepted_by IS NOT NULL))),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'billing'::text, 'member'::text]))),
  constraint invitations_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'accepted'::text, 'revoked'::text, 'expired'::text])))
);
CREATE INDEX invitations_newest ON public.invitations USING btree (organization_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX invitations_pending ON public.invitations USING btree (organization_id, email_key) WHERE (state = 'pending'::text);
comment on table invitations is 'tenant';
alter table invitations enable row level security;
alter table invitations force row level security;
create policy across on invitations to swath_across using true;
create policy tenant on invitations to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on invitations to swath_across;
grant select, insert, update, delete on invitations to swath_app;

create table invoiced_charges (
  organization_id uuid not null,
  hold_id uuid not null,
  invoice_id uuid,
  reference text,
  note text,
  actor text not null,
  created_at timestamp with time zone not null,
  constraint invoiced_charges_pkey PRIMARY KEY (organization_id, hold_id),
  constraint invoiced_charges_organization_id_hold_id_fkey FOREIGN KEY (organization_id, hold_id) REFERENCES credit_holds(organization_id, id),
  constraint invoiced_charges_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  constraint invoiced_charges_check CHECK (((invoice_id IS NULL) <> (reference IS NULL)))
);
comment on table invoiced_charges is 'tenant';
alter table invoiced_charges enable row level security;
alter table invoiced_charges force row level security;
create policy across on invoiced_charges to swath_across using true;
create policy tenant on invoiced_charges to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on invoiced_charges to swath_across;
grant select, insert on invoiced_charges to swath_app;
CREATE TRIGGER invoiced_charges_immutable BEFORE DELETE OR UPDATE ON public.invoiced_charges FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table invoices (
  organization_id uuid not null,
  id uuid not null,
  number text,
  kind text not null,
  period text,
  status text not null,
  total_cents bigint not null,
  gst_cents bigint,
  corrects_id uuid,
  reference_type text,
  reference_id text collate "C",
  document jsonb not null,
  issued_at timestamp with time zone,
  due_at timestamp with time zone,
  paid_at timestamp with time zone,
  created_at timestamp with time zone not null,
  seller text,
  series text,
  sequence bigint,
  constraint invoices_pkey PRIMARY KEY (organization_id, id),
  constraint invoices_gst_cents_check CHECK ((gst_cents >= 0)),
  constraint invoices_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'receipt'::text, 'credit_note'::text]))),
  constraint invoices_sequence_check CHECK ((sequence > 0)),
  constraint invoices_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'paid'::text, 'uncollectible'::text, 'void'::text]))),
  constraint invoices_total_cents_check CHECK ((total_cents >= 0))
);
CREATE INDEX invoices_newest ON public.invoices USING btree (organization_id, created_at DESC);
CREATE INDEX invoices_of_kind ON public.invoices USING btree (organization_id, kind);
CREATE UNIQUE INDEX invoices_of_number ON public.invoices USING btree (organization_id, COALESCE(seller, ''::text), number) WHERE (number IS NOT NULL);
CREATE UNIQUE INDEX invoices_of_period ON public.invoices USING btree (organization_id, period) WHERE ((kind = 'invoice'::text) AND (status <> 'void'::text));
CREATE UNIQUE INDEX invoices_of_reference ON public.invoices USING btree (organization_id, kind, reference_type, reference_id) WHERE (reference_id IS NOT NULL);
CREATE INDEX invoices_of_series ON public.invoices USING btree (organization_id, series, sequence);
comment on table invoices is 'tenant';
alter table invoices enable row level security;
alter table invoices force row level security;
create policy across on invoices to swath_across using true;
create policy tenant on invoices to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on invoices to swath_across;
grant select, insert, update on invoices to swath_app;
CREATE TRIGGER invoices_fixed BEFORE UPDATE ON public.invoices FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER invoices_kept BEFORE DELETE ON public.invoices FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table item_counts (
  organization_id uuid not null,
  project_id uuid not null,
  collection_id uuid not null,
  cloud smallint not null,
  items bigint not null,
  found bigint not null,
  constraint item_counts_pkey PRIMARY KEY (organization_id, project_id, collection_id, cloud)
);
CREATE INDEX item_counts_collection ON public.item_counts USING btree (organization_id, collection_id);
comment on table item_counts is 'tenant';
alter table item_counts enable row level security;
alter table item_counts force row level security;
create policy across on item_counts to swath_across using true;
create policy tenant on item_counts to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on item_counts to swath_across;
grant select, insert, update on item_counts to swath_app;

create table item_features (
  organization_id uuid not null,
  item_id uuid not null,
  revision bigint not null,
  feature text not null,
  constraint item_features_pkey PRIMARY KEY (organization_id, item_id),
  constraint item_features_organization_id_item_id_fkey FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id)
);
comment on table item_features is 'tenant';
alter table item_features enable row level security;
alter table item_features force row level security;
create policy across on item_features to swath_across using true;
create policy tenant on item_features to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on item_features to swath_across;
grant select, insert, update, delete on item_features to swath_app;

create table item_months (
  organization_id uuid not null,
  project_id uuid not null,
  collection_id uuid not null,
  month date not null,
  found bigint not null,
  west double precision,
  south double precision,
  east double precision,
  north double precision,
  earliest timestamp with time zone,
  latest timestamp with time zone,
  ends timestamp with time zone,
  least_clouds double precision,
  most_clouds double precision,
  finest double precision,
  coarsest double precision,
  constraint item_months_pkey PRIMARY KEY (organization_id, project_id, collection_id, month)
);
CREATE INDEX item_months_collection ON public.item_months USING btree (organization_id, collection_id);
comment on table item_months is 'tenant';
alter table item_months enable row level security;
alter table item_months force row level security;
create policy across on item_months to swath_across using true;
create policy tenant on item_months to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on item_months to swath_across;
grant select, insert, update on item_months to swath_app;

create table item_properties (
  organization_id uuid not null,
  project_id uuid not null,
  collection_id uuid not null,
  name text not null,
  type text not null,
  found bigint not null,
  constraint item_properties_pkey PRIMARY KEY (organization_id, project_id, collection_id, name, type)
);
CREATE INDEX item_properties_collection ON public.item_properties USING btree (organization_id, collection_id);
comment on table item_properties is 'tenant';
alter table item_properties enable row level security;
alter table item_properties force row level security;
create policy across on item_properties to swath_across using true;
create policy tenant on item_properties to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on item_properties to swath_across;
grant select, insert, update, delete on item_properties to swath_app;

create table items (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  collection_id uuid,
  stac_id text collate "C" not null,
  type text not null,
  name text not null,
  description text,
  geometry geometry(Geometry,4326),
  bbox double precision[],
  datetime timestamp with time zone,
  start_datetime timestamp with time zone,
  end_datetime timestamp with time zone,
  covers_from timestamp with time zone not null,
  covers_to timestamp with time zone not null,
  cloud_cover double precision,
  gsd double precision,
  properties jsonb not null default '{}'::jsonb,
  stac_extensions text[] not null default '{}'::text[],
  links jsonb not null default '[]'::jsonb,
  lifecycle_state text not null default 'active'::text,
  expires_at timestamp with time zone,
  archived_at timestamp with time zone,
  previous_version_id uuid,
  duplicated_from_id uuid,
  order_id uuid,
  scene_key text collate "C",
  upload_id uuid,
  job_id uuid,
  created_by text,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  stac_assets json,
  left_collection_id uuid,
  purged_at timestamp with time zone,
  revision bigint not null default 0,
  lasts boolean not null generated always as ((covers_to > covers_from)) stored,
  geometry_bytes integer not null generated always as (COALESCE(st_memsize(geometry), 0)) stored,
  stac_source jsonb,
  metadata_bytes integer not null generated always as (item_metadata_bytes(description, properties, links, stac_assets, stac_extensions, stac_source)) stored,
  dated boolean not null generated always as (COALESCE((datetime <> covers_from), false)) stored,
  constraint items_pkey PRIMARY KEY (organization_id, id),
  constraint items_organization_id_collection_id_fkey FOREIGN KEY (organization_id, collection_id) REFERENCES collections(organization_id, id),
  constraint items_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id),
  constraint items_bbox_check CHECK (((bbox IS NULL) OR (cardinality(bbox) = 4))),
  constraint items_check CHECK ((covers_from <= covers_to)),
  constraint items_check1 CHECK (((deleted_at IS NULL) = (lifecycle_state <> 'deleted'::text))),
  constraint items_lifecycle_state_check CHECK ((lifecycle_state = ANY (ARRAY['active'::text, 'expiring'::text, 'archived'::text, 'expired'::text, 'deleted'::text]))),
  constraint items_purged CHECK (((purged_at IS NULL) OR (deleted_at IS NOT NULL))),
  constraint items_type_check CHECK ((type = ANY (ARRAY['satellite_capture'::text, 'derived_raster'::text, 'derived_vector'::text, 'clip'::text, 'user_raster'::text, 'user_vector'::text, 'external_reference'::text])))
) partition by HASH (organization_id);
CREATE INDEX items_cloud ON ONLY public.items USING btree (organization_id, cloud_cover) WHERE ((deleted_at IS NULL) AND (lifecycle_state <> 'expired'::text));
CREATE INDEX items_collection_dated ON ONLY public.items USING btree (organization_id, collection_id, datetime DESC, id) INCLUDE (project_id, covers_from, covers_to, revision) WHERE (dated AND (deleted_at IS NULL) AND (lifecycle_state <> 'expired'::text));
CREATE INDEX items_collection_found ON ONLY public.items USING btree (organization_id, collection_id, covers_from DESC, id) INCLUDE (project_id, covers_to, cloud_cover, revision, dated) WHERE ((deleted_at IS NULL) AND (lifecycle_state <> 'expired'::text));
CREATE INDEX items_collection_newest ON ONLY public.items USING btree (organization_id, collection_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX items_dated ON ONLY public.items USING btree (organization_id, datetime DESC, id) INCLUDE (project_id, collection_id, covers_from, covers_to, revision) WHERE (dated AND (deleted_at IS NULL) AND (lifecycle_state <> 'expired'::text));
CREATE UNIQUE INDEX items_delivery ON ONLY public.items USING btree (organization_id, order_id, scene_key) WHERE (scene_key IS NOT NULL);
CREATE INDEX items_expiry ON ONLY public.items USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (deleted_at IS NULL) AND (lifecycle_state <> 'expired'::text));
CREATE INDEX items_found ON ONLY public.items USING btree (organization_id, covers_from DESC, id) INCLUDE (project_id, collection_id, covers_to, cloud_cover, revision, dated) WHERE ((deleted_at IS NULL) AND (lifecycle_state <> 'expired'::text));
CREATE INDEX items_geometry ON ONLY public.items USING gist (geometry) WHERE (deleted_at IS NULL);
CREATE INDEX items_lasting ON ONLY public.items USING btree (organization_id, covers_to) INCLUDE (covers_from, id, project_id, collection_id, cloud_cover, revision) WHERE (lasts AND (deleted_at IS NULL) AND (lifecycle_state <> 'expired'::text));
CREATE INDEX items_left_collection ON ONLY public.items USING btree (organization_id, left_collection_id) WHERE (left_collection_id IS NOT NULL);
CREATE INDEX items_order ON ONLY public.items USING btree (organization_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX items_project_dated ON ONLY public.items USING btree (organization_id, project_id, datetime DESC, id) INCLUDE (collection_id, covers_from, covers_to, revision) WHERE (dated AND (deleted_at IS NULL) AND (lifecycle_state <> 'expired'::text));
CREATE INDEX items_project_found ON ONLY public.items USING btree (organization_id, project_id, covers_from DESC, id) INCLUDE (collection_id, covers_to, cloud_cover, revision, dated) WHERE ((deleted_at IS NULL) AND (lifecycle_state <> 'expired'::text));
CREATE INDEX items_project_newest ON ONLY public.items USING btree (organization_id, project_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX items_retention ON ONLY public.items USING btree (organization_id, expires_at) INCLUDE (project_id, collection_id) WHERE ((expires_at IS NOT NULL) AND (deleted_at IS NULL) AND (lifecycle_state <> 'expired'::text));
CREATE UNIQUE INDEX items_stac_id_of_collection ON ONLY public.items USING btree (organization_id, stac_id, COALESCE(collection_id, project_id)) WHERE (deleted_at IS NULL);
CREATE INDEX items_trash ON ONLY public.items USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (purged_at IS NULL));
create table items_0 partition of items FOR VALUES WITH (modulus 8, remainder 0);
create table items_1 partition of items FOR VALUES WITH (modulus 8, remainder 1);
create table items_2 partition of items FOR VALUES WITH (modulus 8, remainder 2);
create table items_3 partition of items FOR VALUES WITH (modulus 8, remainder 3);
create table items_4 partition of items FOR VALUES WITH (modulus 8, remainder 4);
create table items_5 partition of items FOR VALUES WITH (modulus 8, remainder 5);
create table items_6 partition of items FOR VALUES WITH (modulus 8, remainder 6);
create table items_7 partition of items FOR VALUES WITH (modulus 8, remainder 7);
comment on table items is 'tenant';
alter table items enable row level security;
alter table items force row level security;
create policy across on items to swath_across using true;
create policy tenant on items to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on items to swath_across;
grant select, insert, update, delete on items to swath_app;

create table journal_entries (
  organization_id uuid not null,
  id uuid not null,
  position bigint not null,
  kind text not null,
  amount_credits bigint not null,
  available_after_credits bigint not null,
  held_after_credits bigint not null,
  reference_type text not null,
  reference_id text collate "C" not null,
  hold_id uuid,
  actor_kind text not null,
  actor_id text not null,
  operation text not null,
  request_id text not null,
  note text,
  created_at timestamp with time zone not null,
  hash text collate "C" not null,
  idempotency_key text,
  constraint journal_entries_pkey PRIMARY KEY (organization_id, id),
  constraint journal_entries_organization_id_position_key UNIQUE (organization_id, "position"),
  constraint journal_entries_organization_id_hold_id_fkey FOREIGN KEY (organization_id, hold_id) REFERENCES credit_holds(organization_id, id)
);
comment on table journal_entries is 'tenant';
alter table journal_entries enable row level security;
alter table journal_entries force row level security;
create policy across on journal_entries to swath_across using true;
create policy tenant on journal_entries to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on journal_entries to swath_across;
grant select, insert on journal_entries to swath_app;
CREATE TRIGGER journal_entries_immutable BEFORE DELETE OR UPDATE ON public.journal_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_entries_kept BEFORE TRUNCATE ON public.journal_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table journal_postings (
  organization_id uuid not null,
  entry_id uuid not null,
  line integer not null,
  account text collate "C" not null,
  lot_id uuid,
  amount_credits bigint not null,
  constraint journal_postings_pkey PRIMARY KEY (organization_id, entry_id, line),
  constraint journal_postings_organization_id_entry_id_fkey FOREIGN KEY (organization_id, entry_id) REFERENCES journal_entries(organization_id, id),
  constraint journal_postings_organization_id_lot_id_fkey FOREIGN KEY (organization_id, lot_id) REFERENCES credit_lots(organization_id, id),
  constraint journal_postings_amount_credits_check CHECK ((amount_credits <> 0))
);
comment on table journal_postings is 'tenant';
alter table journal_postings enable row level security;
alter table journal_postings force row level security;
create policy across on journal_postings to swath_across using true;
create policy tenant on journal_postings to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on journal_postings to swath_across;
grant select, insert on journal_postings to swath_app;
CREATE TRIGGER journal_postings_immutable BEFORE DELETE OR UPDATE ON public.journal_postings FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_postings_kept BEFORE TRUNCATE ON public.journal_postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table ledger_accounts (
  organization_id uuid not null,
  name text collate "C" not null,
  balance_credits bigint not null,
  constraint ledger_accounts_pkey PRIMARY KEY (organization_id, name),
  constraint ledger_accounts_check CHECK (((name <> ALL (ARRAY['wallet.available'::text, 'wallet.held'::text])) OR (balance_credits >= 0)))
);
comment on table ledger_accounts is 'tenant';
alter table ledger_accounts enable row level security;
alter table ledger_accounts force row level security;
create policy across on ledger_accounts to swath_across using true;
create policy tenant on ledger_accounts to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on ledger_accounts to swath_across;
grant select, insert, update on ledger_accounts to swath_app;

create table ledger_heads (
  organization_id uuid not null,
  position bigint not null,
  hash text collate "C" not null,
  low_balance_credits bigint not null default 500,
  constraint ledger_heads_pkey PRIMARY KEY (organization_id),
  constraint ledger_heads_low_balance_credits_check CHECK ((low_balance_credits >= 0))
);
comment on table ledger_heads is 'tenant';
alter table ledger_heads enable row level security;
alter table ledger_heads force row level security;
create policy across on ledger_heads to swath_across using true;
create policy tenant on ledger_heads to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on ledger_heads to swath_across;
grant select, insert, update on ledger_heads to swath_app;

create table member_spend_hours (
  organization_id uuid not null,
  user_id uuid not null,
  hour timestamp with time zone not null,
  credits bigint not null,
  constraint member_spend_hours_pkey PRIMARY KEY (organization_id, user_id, hour),
  constraint member_spend_hours_credits_check CHECK ((credits >= 0))
);
comment on table member_spend_hours is 'tenant';
alter table member_spend_hours enable row level security;
alter table member_spend_hours force row level security;
create policy across on member_spend_hours to swath_across using true;
create policy tenant on member_spend_hours to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on member_spend_hours to swath_across;
grant select, insert, update on member_spend_hours to swath_app;

create table memberships (
  organization_id uuid not null,
  user_id uuid not null,
  email text not null,
  name text,
  role text not null,
  per_order_limit_credits bigint,
  spend_limit_credits bigint,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  constraint memberships_pkey PRIMARY KEY (organization_id, user_id),
  constraint memberships_per_order_limit_credits_check CHECK ((per_order_limit_credits >= 0)),
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'billing'::text, 'member'::text]))),
  constraint memberships_spend_limit_credits_check CHECK ((spend_limit_credits >= 0))
);
comment on table memberships is 'tenant';
alter table memberships enable row level security;
alter table memberships force row level security;
create policy across on memberships to swath_across using true;
create policy tenant on memberships to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on memberships to swath_across;
grant select, insert, update, delete on memberships to swath_app;

create table monthly_grants (
  organization_id uuid not null,
  period text not null,
  entry_id uuid not null,
  created_at timestamp with time zone not null,
  constraint monthly_grants_pkey PRIMARY KEY (organization_id, period),
  constraint monthly_grants_organization_id_entry_id_fkey FOREIGN KEY (organization_id, entry_id) REFERENCES journal_entries(organization_id, id)
);
comment on table monthly_grants is 'tenant';
alter table monthly_grants enable row level security;
alter table monthly_grants force row level security;
create policy across on monthly_grants to swath_across using true;
create policy tenant on monthly_grants to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on monthly_grants to swath_across;
grant select, insert on monthly_grants to swath_app;

create table monthly_runs (
  organization_id uuid not null,
  period text not null,
  invoice_id uuid,
  trued_up_cents bigint not null,
  expired_credits bigint not null,
  granted_credits bigint not null,
  created_at timestamp with time zone not null,
  constraint monthly_runs_pkey PRIMARY KEY (organization_id, period),
  constraint monthly_runs_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id)
);
comment on table monthly_runs is 'tenant';
alter table monthly_runs enable row level security;
alter table monthly_runs force row level security;
create policy across on monthly_runs to swath_across using true;
create policy tenant on monthly_runs to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on monthly_runs to swath_across;
grant select, insert on monthly_runs to swath_app;
CREATE TRIGGER monthly_runs_immutable BEFORE DELETE OR UPDATE ON public.monthly_runs FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table monthly_statements (
  organization_id uuid not null,
  period text not null,
  statement jsonb not null,
  created_at timestamp with time zone not null,
  constraint monthly_statements_pkey PRIMARY KEY (organization_id, period)
);
comment on table monthly_statements is 'tenant';
alter table monthly_statements enable row level security;
alter table monthly_statements force row level security;
create policy across on monthly_statements to swath_across using true;
create policy tenant on monthly_statements to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on monthly_statements to swath_across;
grant select, insert on monthly_statements to swath_app;
CREATE TRIGGER monthly_statements_immutable BEFORE DELETE OR UPDATE ON public.monthly_statements FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table notification_preferences (
  organization_id uuid not null,
  user_id uuid not null,
  kind text not null,
  in_app boolean not null,
  email text not null,
  updated_at timestamp with time zone not null,
  constraint notification_preferences_pkey PRIMARY KEY (organization_id, user_id, kind),
  constraint notification_preferences_email_check CHECK ((email = ANY (ARRAY['off'::text, 'immediate'::text, 'daily'::text])))
);
comment on table notification_preferences is 'tenant';
alter table notification_preferences enable row level security;
alter table notification_preferences force row level security;
create policy across on notification_preferences to swath_across using true;
create policy tenant on notification_preferences to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on notification_preferences to swath_across;
grant select, insert, update, delete on notification_preferences to swath_app;

create table notifications (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  event_id uuid not null,
  kind text not null,
  title text not null,
  body text not null,
  link text not null,
  project_id uuid,
  entity_type text not null,
  entity_id text not null,
  is_in_app boolean not null,
  read_at timestamp with time zone,
  dismissed_at timestamp with time zone,
  email_id uuid,
  digest_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint notifications_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX notifications_created ON public.notifications USING btree (organization_id, created_at);
CREATE INDEX notifications_digest ON public.notifications USING btree (organization_id, digest_at) WHERE (digest_at IS NOT NULL);
CREATE INDEX notifications_email ON public.notifications USING btree (organization_id, email_id) WHERE (email_id IS NOT NULL);
CREATE INDEX notifications_newest ON public.notifications USING btree (organization_id, user_id, created_at DESC, id DESC) WHERE (is_in_app AND (dismissed_at IS NULL));
CREATE UNIQUE INDEX notifications_once ON public.notifications USING btree (organization_id, user_id, event_id);
comment on table notifications is 'tenant';
alter table notifications enable row level security;
alter table notifications force row level security;
create policy across on notifications to swath_across using true;
create policy tenant on notifications to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on notifications to swath_across;
grant select, insert, update, delete on notifications to swath_app;

create table oauth_client_directory (
  client_id uuid not null,
  organization_id uuid not null,
  constraint oauth_client_directory_pkey PRIMARY KEY (client_id)
);
comment on table oauth_client_directory is 'directory';
alter table oauth_client_directory enable row level security;
alter table oauth_client_directory force row level security;
create policy across on oauth_client_directory to swath_across using true;
grant select, insert, update, delete on oauth_client_directory to swath_across;

create table oauth_clients (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  type text not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  grants text[] not null,
  home_url text,
  logo_url text,
  open_to_all boolean not null,
  secret_hash text collate "C",
  former_secret_hash text collate "C",
  former_secret_expires_at timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  constraint oauth_clients_pkey PRIMARY KEY (organization_id, id),
  constraint oauth_clients_check CHECK (((type = 'confidential'::text) = (secret_hash IS NOT NULL))),
  constraint oauth_clients_type_check CHECK ((type = ANY (ARRAY['confidential'::text, 'public'::text])))
);
comment on table oauth_clients is 'tenant';
alter table oauth_clients enable row level security;
alter table oauth_clients force row level security;
create policy across on oauth_clients to swath_across using true;
create policy tenant on oauth_clients to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on oauth_clients to swath_across;
grant select, insert, update, delete on oauth_clients to swath_app;

create table order_captures (
  organization_id uuid not null,
  order_id uuid not null,
  position integer not null,
  host text not null,
  scene_id text not null,
  item_id uuid not null,
  collection text not null,
  scene jsonb not null,
  geometry jsonb not null,
  credits bigint not null,
  licence text not null,
  delivered_at timestamp with time zone,
  product_version integer,
  constraint order_captures_pkey PRIMARY KEY (organization_id, order_id, "position"),
  constraint order_captures_organization_id_item_id_key UNIQUE (organization_id, item_id),
  constraint order_captures_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id)
);
CREATE INDEX order_captures_scene ON public.order_captures USING btree (organization_id, scene_id) WHERE (delivered_at IS NOT NULL);
comment on table order_captures is 'tenant';
alter table order_captures enable row level security;
alter table order_captures force row level security;
create policy across on order_captures to swath_across using true;
create policy tenant on order_captures to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on order_captures to swath_across;
grant select, insert, update, delete on order_captures to swath_app;

create table order_hosts (
  organization_id uuid not null,
  order_id uuid not null,
  host text not null,
  reference text,
  constraint order_hosts_pkey PRIMARY KEY (organization_id, order_id, host),
  constraint order_hosts_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id)
);
comment on table order_hosts is 'tenant';
alter table order_hosts enable row level security;
alter table order_hosts force row level security;
create policy across on order_hosts to swath_across using true;
create policy tenant on order_hosts to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on order_hosts to swath_across;
grant select, insert, update, delete on order_hosts to swath_app;

create table order_quotes (
  organization_id uuid not null,
  id uuid not null,
  captures jsonb not null,
  groups jsonb not null,
  total_credits bigint not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  order_id uuid,
  tasks jsonb,
  constraint order_quotes_pkey PRIMARY KEY (organization_id, id),
  constraint order_quotes_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint order_quotes_check CHECK ((expires_at > created_at)),
  constraint order_quotes_total_credits_check CHECK ((total_credits >= 0))
);
CREATE INDEX order_quotes_open ON public.order_quotes USING btree (organization_id, expires_at) WHERE (order_id IS NULL);
CREATE UNIQUE INDEX order_quotes_order ON public.order_quotes USING btree (organization_id, order_id) WHERE (order_id IS NOT NULL);
comment on table order_quotes is 'tenant';
alter table order_quotes enable row level security;
alter table order_quotes force row level security;
create policy across on order_quotes to swath_across using true;
create policy tenant on order_quotes to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on order_quotes to swath_across;
grant select, insert, update, delete on order_quotes to swath_app;

create table order_status_changes (
  organization_id uuid not null,
  order_id uuid not null,
  position integer not null,
  at timestamp with time zone not null,
  from_status text,
  to_status text not null,
  reason_code text,
  reason_text text,
  actor text,
  constraint order_status_changes_pkey PRIMARY KEY (organization_id, order_id, "position"),
  constraint order_status_changes_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id)
);
comment on table order_status_changes is 'tenant';
alter table order_status_changes enable row level security;
alter table order_status_changes force row level security;
create policy across on order_status_changes to swath_across using true;
create policy tenant on order_status_changes to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on order_status_changes to swath_across;
grant select, insert on order_status_changes to swath_app;

create table orders (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  collection_id uuid,
  type text not null,
  status text not null,
  sub_status text,
  display_name text not null,
  tags text[] not null default '{}'::text[],
  licence_type text,
  data_product_id text,
  billing_mode text not null,
  hold_id uuid,
  total_credits bigint not null,
  captured_credits bigint not null default 0,
  refunded_credits bigint not null default 0,
  groups jsonb not null,
  fulfillment text,
  failure_code text,
  failure_text text,
  ask_at timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  cancellable_until text not null default 'PLACED'::text,
  cancel_fee_credits bigint not null default 0,
  cancel_by timestamp with time zone,
  constraint orders_pkey PRIMARY KEY (organization_id, id),
  constraint orders_organization_id_hold_id_fkey FOREIGN KEY (organization_id, hold_id) REFERENCES credit_holds(organization_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint orders_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id),
  constraint orders_cancellable_until_check CHECK ((cancellable_until = ANY (ARRAY['PLACED'::text, 'BEING_FULFILLED'::text]))),
  constraint orders_check CHECK (((cancel_fee_credits >= 0) AND (cancel_fee_credits <= total_credits))),
  constraint orders_fulfillment_check CHECK ((fulfillment = ANY (ARRAY['complete'::text, 'partial'::text, 'none'::text]))),
  constraint orders_total_credits_check CHECK ((total_credits >= 0)),
  constraint orders_type_check CHECK ((type = ANY (ARRAY['archive'::text, 'tasking'::text])))
);
CREATE INDEX orders_newest ON public.orders USING btree (organization_id, created_at DESC, id);
CREATE INDEX orders_open ON public.orders USING btree (organization_id, updated_at) WHERE (status <> ALL (ARRAY['FULFILLED'::text, 'FAILED_PERMANENTLY'::text, 'CANCELED'::text]));
CREATE INDEX orders_project ON public.orders USING btree (organization_id, project_id);
comment on table orders is 'tenant';
alter table orders enable row level security;
alter table orders force row level security;
create policy across on orders to swath_across using true;
create policy tenant on orders to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on orders to swath_across;
grant select, insert, update, delete on orders to swath_app;

create table organization_domains (
  organization_id uuid not null,
  domain text collate "C" not null,
  proof text not null,
  state text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  verified_at timestamp with time zone,
  checked_at timestamp with time zone,
  failing_since timestamp with time zone,
  problem text,
  constraint organization_domains_pkey PRIMARY KEY (organization_id, domain),
  constraint organization_domains_check CHECK (((state <> 'verified'::text) OR (verified_at IS NOT NULL))),
  constraint organization_domains_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'verified'::text, 'lost'::text])))
);
comment on table organization_domains is 'tenant';
alter table organization_domains enable row level security;
alter table organization_domains force row level security;
create policy across on organization_domains to swath_across using true;
create policy tenant on organization_domains to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on organization_domains to swath_across;
grant select, insert, update, delete on organization_domains to swath_app;

create table organization_slugs (
  slug text collate "C" not null,
  organization_id uuid not null,
  constraint organization_slugs_pkey PRIMARY KEY (slug)
);
comment on table organization_slugs is 'directory';
alter table organization_slugs enable row level security;
alter table organization_slugs force row level security;
create policy across on organization_slugs to swath_across using true;
grant select, insert, update, delete on organization_slugs to swath_across;

create table organizations (
  organization_id uuid not null,
  name text not null,
  slug text collate "C" not null,
  description text,
  website text,
  industry text,
  size text,
  country text,
  abn text,
  tax_number text,
  billing_email text,
  billing_admin_id uuid,
  billing_address jsonb,
  enterprise_billing boolean not null,
  plan text not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  delete_after timestamp with time zone,
  suspended_at timestamp with time zone,
  suspended_reason text,
  purchase_order_number text,
  second_factor text not null default 'optional'::text,
  constraint organizations_pkey PRIMARY KEY (organization_id),
  constraint organizations_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'prepaid'::text, 'enterprise'::text, 'internal'::text]))),
  constraint organizations_second_factor_check CHECK ((second_factor = ANY (ARRAY['optional'::text, 'required'::text]))),
  constraint organizations_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'deleted'::text])))
);
comment on table organizations is 'tenant';
alter table organizations enable row level security;
alter table organizations force row level security;
create policy across on organizations to swath_across using true;
create policy tenant on organizations to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on organizations to swath_across;
grant select, insert, update, delete on organizations to swath_app;

create table passkey_challenges (
  challenge_hash text collate "C" not null,
  purpose text not null,
  user_id uuid,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (challenge_hash),
  constraint passkey_challenges_check CHECK (((purpose = 'sign-in'::text) = (user_id IS NULL))),
  constraint passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'sign-in'::text, 'second-factor'::text])))
);
CREATE INDEX passkey_challenges_expiry ON public.passkey_challenges USING btree (expires_at);
comment on table passkey_challenges is 'directory';
alter table passkey_challenges enable row level security;
alter table passkey_challenges force row level security;
create policy across on passkey_challenges to swath_across using true;
grant select, insert, update, delete on passkey_challenges to swath_across;

create table passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id text collate "C" not null,
  public_key text not null,
  counter bigint not null,
  transports text[] not null,
  is_synced boolean not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id);
comment on table passkeys is 'directory';
alter table passkeys enable row level security;
alter table passkeys force row level security;
create policy across on passkeys to swath_across using true;
grant select, insert, update, delete on passkeys to swath_across;

create table payment_customers (
  organization_id uuid not null,
  env text not null,
  customer text not null,
  created_at timestamp with time zone not null,
  constraint payment_customers_pkey PRIMARY KEY (organization_id, env)
);
comment on table payment_customers is 'tenant';
alter table payment_customers enable row level security;
alter table payment_customers force row level security;
create policy across on payment_customers to swath_across using true;
create policy tenant on payment_customers to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on payment_customers to swath_across;
grant select, insert, update, delete on payment_customers to swath_app;

create table payment_dispute_lots (
  organization_id uuid not null,
  dispute_id uuid not null,
  lot_id uuid not null,
  amount_credits bigint not null,
  constraint payment_dispute_lots_pkey PRIMARY KEY (organization_id, dispute_id, lot_id),
  constraint payment_dispute_lots_organization_id_dispute_id_fkey FOREIGN KEY (organization_id, dispute_id) REFERENCES payment_disputes(organization_id, id),
  constraint payment_dispute_lots_organization_id_lot_id_fkey FOREIGN KEY (organization_id, lot_id) REFERENCES credit_lots(organization_id, id),
  constraint payment_dispute_lots_amount_credits_check CHECK ((amount_credits > 0))
);
comment on table payment_dispute_lots is 'tenant';
alter table payment_dispute_lots enable row level security;
alter table payment_dispute_lots force row level security;
create policy across on payment_dispute_lots to swath_across using true;
create policy tenant on payment_dispute_lots to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on payment_dispute_lots to swath_across;
grant select, insert on payment_dispute_lots to swath_app;

create table payment_disputes (
  organization_id uuid not null,
  id uuid not null,
  dispute text not null,
  intent text not null,
  amount_cents bigint not null,
  held_credits bigint not null,
  state text not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint payment_disputes_pkey PRIMARY KEY (organization_id, id),
  constraint payment_disputes_organization_id_dispute_key UNIQUE (organization_id, dispute),
  constraint payment_disputes_state_check CHECK ((state = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);
comment on table payment_disputes is 'tenant';
alter table payment_disputes enable row level security;
alter table payment_disputes force row level security;
create policy across on payment_disputes to swath_across using true;
create policy tenant on payment_disputes to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on payment_disputes to swath_across;
grant select, insert, update, delete on payment_disputes to swath_app;

create table payment_events (
  id text collate "C" not null,
  type text not null,
  object_id text,
  data jsonb not null,
  created_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  applied_at timestamp with time zone,
  constraint payment_events_pkey PRIMARY KEY (id)
);
comment on table payment_events is 'directory';
alter table payment_events enable row level security;
alter table payment_events force row level security;
create policy across on payment_events to swath_across using true;
grant select, insert, update, delete on payment_events to swath_across;

create table payment_methods (
  organization_id uuid not null,
  id uuid not null,
  env text not null,
  payment_method_id text not null,
  kind text not null,
  brand text,
  last4 text,
  exp_month integer,
  exp_year integer,
  is_default boolean not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  detached_at timestamp with time zone,
  constraint payment_methods_pkey PRIMARY KEY (organization_id, id),
  constraint payment_methods_organization_id_env_payment_method_id_key UNIQUE (organization_id, env, payment_method_id)
);
CREATE INDEX payment_methods_by_name ON public.payment_methods USING btree (env, payment_method_id) WHERE (detached_at IS NULL);
CREATE UNIQUE INDEX payment_methods_default ON public.payment_methods USING btree (organization_id, env) WHERE (is_default AND (detached_at IS NULL));
comment on table payment_methods is 'tenant';
alter table payment_methods enable row level security;
alter table payment_methods force row level security;
create policy across on payment_methods to swath_across using true;
create policy tenant on payment_methods to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on payment_methods to swath_across;
grant select, insert, update, delete on payment_methods to swath_app;

create table payment_refunds (
  organization_id uuid not null,
  id uuid not null,
  topup_id uuid not null,
  credits bigint not null,
  entry_id uuid not null,
  processor_refund text,
  state text not null,
  reason text,
  requested_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint payment_refunds_pkey PRIMARY KEY (organization_id, id),
  constraint payment_refunds_organization_id_entry_id_fkey FOREIGN KEY (organization_id, entry_id) REFERENCES journal_entries(organization_id, id),
  constraint payment_refunds_organization_id_topup_id_fkey FOREIGN KEY (organization_id, topup_id) REFERENCES topups(organization_id, id),
  constraint payment_refunds_credits_check CHECK ((credits > 0)),
  constraint payment_refunds_state_check CHECK ((state = ANY (ARRAY['starting'::text, 'succeeded'::text, 'failed'::text])))
);
comment on table payment_refunds is 'tenant';
alter table payment_refunds enable row level security;
alter table payment_refunds force row level security;
create policy across on payment_refunds to swath_across using true;
create policy tenant on payment_refunds to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on payment_refunds to swath_across;
grant select, insert, update, delete on payment_refunds to swath_app;

create table personal_token_directory (
  token_hash text collate "C" not null,
  organization_id uuid not null,
  token_id uuid not null,
  constraint personal_token_directory_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX personal_token_directory_token ON public.personal_token_directory USING btree (organization_id, token_id);
comment on table personal_token_directory is 'directory';
alter table personal_token_directory enable row level security;
alter table personal_token_directory force row level security;
create policy across on personal_token_directory to swath_across using true;
grant select, insert, update, delete on personal_token_directory to swath_across;

create table personal_tokens (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  prefix text not null,
  scopes text[] not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  by_provider boolean not null,
  last_used_at timestamp with time zone,
  last_used_address text,
  created_at timestamp with time zone not null,
  constraint personal_tokens_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX personal_tokens_expiry ON public.personal_tokens USING btree (expires_at);
CREATE INDEX personal_tokens_newest ON public.personal_tokens USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX personal_tokens_user ON public.personal_tokens USING btree (organization_id, user_id);
comment on table personal_tokens is 'tenant';
alter table personal_tokens enable row level security;
alter table personal_tokens force row level security;
create policy across on personal_tokens to swath_across using true;
create policy tenant on personal_tokens to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on personal_tokens to swath_across;
grant select, insert, update, delete on personal_tokens to swath_app;

create table principal_changes (
  id uuid not null,
  subject text not null,
  changed_at timestamp with time zone not null default statement_timestamp(),
  constraint principal_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX principal_changes_time ON public.principal_changes USING btree (changed_at);
comment on table principal_changes is 'directory';
alter table principal_changes enable row level security;
alter table principal_changes force row level security;
create policy across on principal_changes to swath_across using true;
grant select, insert, update, delete on principal_changes to swath_across;

create table processing_job_log (
  organization_id uuid not null,
  job_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null,
  level text not null,
  message text not null,
  constraint processing_job_log_pkey PRIMARY KEY (organization_id, job_id, id),
  constraint processing_job_log_organization_id_job_id_fkey FOREIGN KEY (organization_id, job_id) REFERENCES processing_jobs(organization_id, id),
  constraint processing_job_log_level_check CHECK ((level = ANY (ARRAY['info'::text, 'warning'::text, 'error'::text])))
);
comment on table processing_job_log is 'tenant';
alter table processing_job_log enable row level security;
alter table processing_job_log force row level security;
create policy across on processing_job_log to swath_across using true;
create policy tenant on processing_job_log to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on processing_job_log to swath_across;
grant select, insert on processing_job_log to swath_app;

create table processing_jobs (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  collection_id uuid,
  process_id text not null,
  process_version text not null,
  status text not null,
  settlement text not null,
  billing_mode text not null,
  hold_id uuid,
  held_credits bigint not null,
  captured_credits bigint not null default 0,
  inputs jsonb not null,
  plan jsonb not null,
  result_key text,
  reused_job_id uuid,
  worker text not null,
  attempt integer not null default 0,
  lease_until timestamp with time zone,
  progress double precision not null default 0,
  item_ids uuid[] not null default '{}'::uuid[],
  receipt jsonb,
  failure_code text,
  failure_text text,
  clip_area text,
  auto_start boolean not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  receipt_jws text,
  lost_attempts integer not null default 0,
  result_form text,
  dismissed_at timestamp with time zone,
  constraint processing_jobs_pkey PRIMARY KEY (organization_id, id),
  constraint processing_jobs_organization_id_hold_id_fkey FOREIGN KEY (organization_id, hold_id) REFERENCES credit_holds(organization_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint processing_jobs_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id),
  constraint processing_jobs_check CHECK (((captured_credits >= 0) AND (captured_credits <= held_credits))),
  constraint processing_jobs_check1 CHECK (((status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) = (settlement <> 'reserved'::text))),
  constraint processing_jobs_held_credits_check CHECK ((held_credits >= 0)),
  constraint processing_jobs_progress_check CHECK (((progress >= (0)::double precision) AND (progress <= (1)::double precision))),
  constraint processing_jobs_result_form_check CHECK ((result_form = ANY (ARRAY['raw-value'::text, 'raw-reference'::text, 'document-value'::text, 'document-reference'::text]))),
  constraint processing_jobs_signed_receipt CHECK (((receipt_jws IS NULL) OR (receipt IS NOT NULL))),
  constraint processing_jobs_worker_check CHECK ((worker = ANY (ARRAY['server'::text, 'external'::text])))
);
CREATE INDEX processing_jobs_newest ON public.processing_jobs USING btree (organization_id, created_at DESC, id);
CREATE INDEX processing_jobs_open ON public.processing_jobs USING btree (organization_id, updated_at) WHERE (status = ANY (ARRAY['pending'::text, 'dispatched'::text, 'running'::text]));
CREATE INDEX processing_jobs_project ON public.processing_jobs USING btree (organization_id, project_id, created_at DESC);
CREATE INDEX processing_jobs_result ON public.processing_jobs USING btree (organization_id, project_id, result_key) WHERE (status = 'completed'::text);
comment on table processing_jobs is 'tenant';
alter table processing_jobs enable row level security;
alter table processing_jobs force row level security;
create policy across on processing_jobs to swath_across using true;
create policy tenant on processing_jobs to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on processing_jobs to swath_across;
grant select, insert, update, delete on processing_jobs to swath_app;

create table processor_customers (
  id text collate "C" not null,
  organization_id uuid not null,
  name text not null,
  email text,
  default_method text,
  created_at timestamp with time zone not null,
  constraint processor_customers_pkey PRIMARY KEY (id)
);
comment on table processor_customers is 'directory';
alter table processor_customers enable row level security;
alter table processor_customers force row level security;
create policy across on processor_customers to swath_across using true;
grant select, insert, update, delete on processor_customers to swath_across;

create table processor_disputes (
  id text collate "C" not null,
  intent text collate "C" not null,
  amount_cents bigint not null,
  status text not null,
  created_at timestamp with time zone not null,
  constraint processor_disputes_pkey PRIMARY KEY (id),
  constraint processor_disputes_intent_fkey FOREIGN KEY (intent) REFERENCES processor_intents(id),
  constraint processor_disputes_amount_cents_check CHECK ((amount_cents > 0)),
  constraint processor_disputes_status_check CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);
comment on table processor_disputes is 'directory';
alter table processor_disputes enable row level security;
alter table processor_disputes force row level security;
create policy across on processor_disputes to swath_across using true;
grant select, insert, update, delete on processor_disputes to swath_across;

create table processor_events (
  id text collate "C" not null,
  body jsonb not null,
  attempts integer not null default 0,
  next_at timestamp with time zone,
  created_at timestamp with time zone not null,
  sandbox_id uuid,
  constraint processor_events_pkey PRIMARY KEY (id)
);
CREATE INDEX processor_events_age ON public.processor_events USING btree (created_at);
CREATE INDEX processor_events_due ON public.processor_events USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX processor_events_sandbox ON public.processor_events USING btree (sandbox_id, next_at) WHERE (next_at IS NOT NULL);
comment on table processor_events is 'directory';
alter table processor_events enable row level security;
alter table processor_events force row level security;
create policy across on processor_events to swath_across using true;
grant select, insert, update, delete on processor_events to swath_across;

create table processor_intents (
  id text collate "C" not null,
  organization_id uuid not null,
  customer text collate "C" not null,
  payment_method text collate "C" not null,
  amount_cents bigint not null,
  captured_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  capture text not null,
  status text not null,
  client_secret text collate "C" not null,
  capture_before timestamp with time zone,
  decline_code text,
  cancelled_because text,
  metadata jsonb not null,
  created_at timestamp with time zone not null,
  constraint processor_intents_pkey PRIMARY KEY (id),
  constraint processor_intents_client_secret_key UNIQUE (client_secret),
  constraint processor_intents_customer_fkey FOREIGN KEY (customer) REFERENCES processor_customers(id),
  constraint processor_intents_payment_method_fkey FOREIGN KEY (payment_method) REFERENCES processor_methods(id),
  constraint processor_intents_amount_cents_check CHECK ((amount_cents > 0)),
  constraint processor_intents_cancelled_because_check CHECK ((cancelled_because = ANY (ARRAY['requested'::text, 'expired'::text]))),
  constraint processor_intents_capture_check CHECK ((capture = ANY (ARRAY['automatic'::text, 'manual'::text]))),
  constraint processor_intents_check CHECK (((0 <= refunded_cents) AND (refunded_cents <= captured_cents) AND (captured_cents <= amount_cents))),
  constraint processor_intents_check1 CHECK (((status = 'succeeded'::text) = (captured_cents > 0))),
  constraint processor_intents_check2 CHECK (((status = 'requires_capture'::text) = (capture_before IS NOT NULL))),
  constraint processor_intents_check3 CHECK (((status = 'canceled'::text) = (cancelled_because IS NOT NULL))),
  constraint processor_intents_status_check CHECK ((status = ANY (ARRAY['requires_payment_method'::text, 'requires_action'::text, 'requires_capture'::text, 'succeeded'::text, 'canceled'::text])))
);
CREATE INDEX processor_intents_authorised ON public.processor_intents USING btree (capture_before) WHERE (status = 'requires_capture'::text);
comment on table processor_intents is 'directory';
alter table processor_intents enable row level security;
alter table processor_intents force row level security;
create policy across on processor_intents to swath_across using true;
grant select, insert, update, delete on processor_intents to swath_across;

create table processor_methods (
  id text collate "C" not null,
  customer text collate "C" not null,
  behaviour text not null,
  brand text not null,
  last4 text not null,
  exp_month integer not null,
  exp_year integer not null,
  detached_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint processor_methods_pkey PRIMARY KEY (id),
  constraint processor_methods_customer_fkey FOREIGN KEY (customer) REFERENCES processor_customers(id)
);
comment on table processor_methods is 'directory';
alter table processor_methods enable row level security;
alter table processor_methods force row level security;
create policy across on processor_methods to swath_across using true;
grant select, insert, update, delete on processor_methods to swath_across;

create table processor_refunds (
  id text collate "C" not null,
  intent text collate "C" not null,
  amount_cents bigint not null,
  metadata jsonb not null,
  created_at timestamp with time zone not null,
  constraint processor_refunds_pkey PRIMARY KEY (id),
  constraint processor_refunds_intent_fkey FOREIGN KEY (intent) REFERENCES processor_intents(id),
  constraint processor_refunds_amount_cents_check CHECK ((amount_cents > 0))
);
comment on table processor_refunds is 'directory';
alter table processor_refunds enable row level security;
alter table processor_refunds force row level security;
create policy across on processor_refunds to swath_across using true;
grant select, insert, update, delete on processor_refunds to swath_across;

create table processor_requests (
  key text collate "C" not null,
  digest text not null,
  answer jsonb,
  created_at timestamp with time zone not null,
  constraint processor_requests_pkey PRIMARY KEY (key)
);
CREATE INDEX processor_requests_age ON public.processor_requests USING btree (created_at);
comment on table processor_requests is 'directory';
alter table processor_requests enable row level security;
alter table processor_requests force row level security;
create policy across on processor_requests to swath_across using true;
grant select, insert, update, delete on processor_requests to swath_across;

create table processor_setup_intents (
  id text collate "C" not null,
  customer text collate "C" not null,
  client_secret text not null,
  status text not null,
  created_at timestamp with time zone not null,
  constraint processor_setup_intents_pkey PRIMARY KEY (id),
  constraint processor_setup_intents_customer_fkey FOREIGN KEY (customer) REFERENCES processor_customers(id),
  constraint processor_setup_intents_status_check CHECK ((status = ANY (ARRAY['requires_payment_method'::text, 'succeeded'::text])))
);
CREATE INDEX processor_setup_intents_open ON public.processor_setup_intents USING btree (customer) WHERE (status = 'requires_payment_method'::text);
comment on table processor_setup_intents is 'directory';
alter table processor_setup_intents enable row level security;
alter table processor_setup_intents force row level security;
create policy across on processor_setup_intents to swath_across using true;
grant select, insert, update, delete on processor_setup_intents to swath_across;

create table product_versions (
  id uuid not null,
  product text not null,
  version integer not null,
  changes jsonb not null,
  needs_approval boolean not null,
  effective_from timestamp with time zone not null,
  reason text not null,
  status text not null,
  requested_by uuid not null,
  requested_at timestamp with time zone not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  decision_reason text,
  constraint product_versions_pkey PRIMARY KEY (id),
  constraint product_versions_product_version_key UNIQUE (product, version),
  constraint product_versions_check CHECK (((status = 'pending'::text) = (decided_by IS NULL))),
  constraint product_versions_check1 CHECK (((status <> 'approved'::text) OR (NOT needs_approval) OR (decided_by <> requested_by))),
  constraint product_versions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);
CREATE INDEX product_versions_effective ON public.product_versions USING btree (effective_from, version) WHERE (status = 'approved'::text);
CREATE INDEX product_versions_newest ON public.product_versions USING btree (requested_at DESC, id);
comment on table product_versions is 'shared';
grant select, insert, update, delete on product_versions to swath_across;
grant select on product_versions to swath_app;

create table project_members (
  organization_id uuid not null,
  project_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint project_members_pkey PRIMARY KEY (organization_id, project_id, user_id),
  constraint project_members_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id),
  constraint project_members_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE,
  constraint project_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'viewer'::text])))
);
CREATE INDEX project_members_user ON public.project_members USING btree (organization_id, user_id);
comment on table project_members is 'tenant';
alter table project_members enable row level security;
alter table project_members force row level security;
create policy across on project_members to swath_across using true;
create policy tenant on project_members to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on project_members to swath_across;
grant select, insert, update, delete on project_members to swath_app;

create table projects (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  region text,
  storage_bucket text,
  is_archived boolean not null,
  created_by text not null,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint projects_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX projects_newest ON public.projects USING btree (organization_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
comment on table projects is 'tenant';
alter table projects enable row level security;
alter table projects force row level security;
create policy across on projects to swath_across using true;
create policy tenant on projects to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on projects to swath_across;
grant select, insert, update, delete on projects to swath_app;

create table provenance_edges (
  organization_id uuid not null,
  src_type text not null,
  src_id text collate "C" not null,
  dst_type text not null,
  dst_id text collate "C" not null,
  relation text not null,
  invocation_id text not null,
  created_at timestamp with time zone not null,
  constraint provenance_edges_pkey PRIMARY KEY (organization_id, src_type, src_id, dst_type, dst_id, relation)
);
CREATE INDEX provenance_edges_down ON public.provenance_edges USING btree (organization_id, dst_type, dst_id);
comment on table provenance_edges is 'tenant';
alter table provenance_edges enable row level security;
alter table provenance_edges force row level security;
create policy across on provenance_edges to swath_across using true;
create policy tenant on provenance_edges to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on provenance_edges to swath_across;
grant select, insert on provenance_edges to swath_app;

create table provenance_tombstones (
  organization_id uuid not null,
  entity_type text not null,
  entity_id text collate "C" not null,
  deleted_at timestamp with time zone not null,
  constraint provenance_tombstones_pkey PRIMARY KEY (organization_id, entity_type, entity_id)
);
comment on table provenance_tombstones is 'tenant';
alter table provenance_tombstones enable row level security;
alter table provenance_tombstones force row level security;
create policy across on provenance_tombstones to swath_across using true;
create policy tenant on provenance_tombstones to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on provenance_tombstones to swath_across;
grant select, insert, update, delete on provenance_tombstones to swath_app;

create table provider_logins (
  state_hash text collate "C" not null,
  organization_id uuid not null,
  cookie_hash text collate "C" not null,
  query text not null,
  session_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  user_id uuid,
  claims jsonb,
  linked_at timestamp with time zone,
  constraint provider_logins_pkey PRIMARY KEY (state_hash)
);
CREATE INDEX provider_logins_expiry ON public.provider_logins USING btree (expires_at);
comment on table provider_logins is 'directory';
alter table provider_logins enable row level security;
alter table provider_logins force row level security;
create policy across on provider_logins to swath_across using true;
grant select, insert, update, delete on provider_logins to swath_across;

create table provider_sessions (
  session_id uuid not null,
  organization_id uuid not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  sid text collate "C",
  amr text[] not null,
  acr text,
  created_at timestamp with time zone not null,
  constraint provider_sessions_pkey PRIMARY KEY (session_id),
  constraint provider_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX provider_sessions_sid ON public.provider_sessions USING btree (organization_id, issuer, sid) WHERE (sid IS NOT NULL);
CREATE INDEX provider_sessions_subject ON public.provider_sessions USING btree (organization_id, issuer, subject);
comment on table provider_sessions is 'directory';
alter table provider_sessions enable row level security;
alter table provider_sessions force row level security;
create policy across on provider_sessions to swath_across using true;
grant select, insert, update, delete on provider_sessions to swath_across;

create table rate_cards (
  id uuid not null,
  product text not null,
  version integer not null,
  rate_credits numeric not null,
  minimum_km2 double precision,
  effective_from timestamp with time zone not null,
  reason text not null,
  status text not null,
  requested_by uuid not null,
  requested_at timestamp with time zone not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  decision_reason text,
  constraint rate_cards_pkey PRIMARY KEY (id),
  constraint rate_cards_product_version_key UNIQUE (product, version),
  constraint rate_cards_check CHECK (((status = 'pending'::text) = (decided_by IS NULL))),
  constraint rate_cards_check1 CHECK (((status <> 'approved'::text) OR (decided_by <> requested_by))),
  constraint rate_cards_minimum_km2_check CHECK ((minimum_km2 >= (0)::double precision)),
  constraint rate_cards_rate_credits_check CHECK ((rate_credits >= (0)::numeric)),
  constraint rate_cards_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);
CREATE INDEX rate_cards_effective ON public.rate_cards USING btree (product, effective_from DESC, version DESC) WHERE (status = 'approved'::text);
CREATE INDEX rate_cards_newest ON public.rate_cards USING btree (requested_at DESC, id);
comment on table rate_cards is 'shared';
grant select, insert, update, delete on rate_cards to swath_across;
grant select on rate_cards to swath_app;

create table rate_limit_counts (
  bucket text collate "C" not null,
  slot bigint not null,
  counts integer[] not null,
  expires_at timestamp with time zone not null,
  constraint rate_limit_counts_pkey PRIMARY KEY (bucket)
);
comment on table rate_limit_counts is 'directory';
alter table rate_limit_counts enable row level security;
alter table rate_limit_counts force row level security;
create policy across on rate_limit_counts to swath_across using true;
grant select, insert, update, delete on rate_limit_counts to swath_across;

create table reconciliation_runs (
  organization_id uuid not null,
  id uuid not null,
  threshold_bytes bigint not null,
  journal_bytes bigint not null,
  stored_bytes bigint not null,
  drift_bytes bigint not null,
  flagged boolean not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone not null,
  constraint reconciliation_runs_pkey PRIMARY KEY (organization_id, id),
  constraint reconciliation_runs_check CHECK ((drift_bytes = (journal_bytes - stored_bytes))),
  constraint reconciliation_runs_check1 CHECK ((flagged = (abs(drift_bytes) > threshold_bytes)))
);
CREATE INDEX reconciliation_runs_newest ON public.reconciliation_runs USING btree (started_at DESC, id DESC);
comment on table reconciliation_runs is 'tenant';
alter table reconciliation_runs enable row level security;
alter table reconciliation_runs force row level security;
create policy across on reconciliation_runs to swath_across using true;
create policy tenant on reconciliation_runs to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on reconciliation_runs to swath_across;
grant select, insert on reconciliation_runs to swath_app;
CREATE TRIGGER reconciliation_runs_immutable BEFORE DELETE OR UPDATE ON public.reconciliation_runs FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table recovery_codes (
  user_id uuid not null,
  code_hash text collate "C" not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table recovery_codes is 'directory';
alter table recovery_codes enable row level security;
alter table recovery_codes force row level security;
create policy across on recovery_codes to swath_across using true;
grant select, insert, update, delete on recovery_codes to swath_across;

create table refresh_tokens (
  token_hash text collate "C" not null,
  session_id uuid not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_session ON public.refresh_tokens USING btree (session_id);
comment on table refresh_tokens is 'directory';
alter table refresh_tokens enable row level security;
alter table refresh_tokens force row level security;
create policy across on refresh_tokens to swath_across using true;
grant select, insert, update, delete on refresh_tokens to swath_across;

create table registered_clients (
  id uuid not null,
  name text not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  grants text[] not null,
  home_url text,
  logo_url text,
  token_hash text collate "C" not null,
  address text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  constraint registered_clients_pkey PRIMARY KEY (id)
);
CREATE INDEX registered_clients_used ON public.registered_clients USING btree (last_used_at);
comment on table registered_clients is 'directory';
alter table registered_clients enable row level security;
alter table registered_clients force row level security;
create policy across on registered_clients to swath_across using true;
grant select, insert, update, delete on registered_clients to swath_across;

create table report_schedules (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  report_type text not null,
  formats text[] not null,
  project_id uuid,
  area jsonb,
  area_name text,
  frequency text not null,
  next_run_at timestamp with time zone,
  last_run_at timestamp with time zone,
  ended_reason text,
  created_at timestamp with time zone not null,
  created_by_key uuid,
  constraint report_schedules_pkey PRIMARY KEY (organization_id, id),
  constraint report_schedules_check CHECK (((next_run_at IS NULL) = (ended_reason IS NOT NULL))),
  constraint report_schedules_frequency_check CHECK ((frequency = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text])))
);
CREATE INDEX report_schedules_due ON public.report_schedules USING btree (organization_id, next_run_at) WHERE (next_run_at IS NOT NULL);
CREATE INDEX report_schedules_user ON public.report_schedules USING btree (organization_id, user_id, created_at DESC, id DESC);
comment on table report_schedules is 'tenant';
alter table report_schedules enable row level security;
alter table report_schedules force row level security;
create policy across on report_schedules to swath_across using true;
create policy tenant on report_schedules to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on report_schedules to swath_across;
grant select, insert, update, delete on report_schedules to swath_app;

create table reports (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  report_type text not null,
  project_id uuid,
  area_name text,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  schedule_id uuid,
  files jsonb,
  created_by text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint reports_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX reports_expiry ON public.reports USING btree (organization_id, expires_at);
CREATE INDEX reports_newest ON public.reports USING btree (organization_id, user_id, created_at DESC, id DESC);
comment on table reports is 'tenant';
alter table reports enable row level security;
alter table reports force row level security;
create policy across on reports to swath_across using true;
create policy tenant on reports to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on reports to swath_across;
grant select, insert, update, delete on reports to swath_app;

create table role_changes (
  id uuid not null,
  user_id uuid not null,
  operator boolean,
  clip_user boolean,
  reason text not null,
  status text not null,
  requested_by uuid not null,
  requested_at timestamp with time zone not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  decision_reason text,
  decided_alone boolean not null default false,
  constraint role_changes_pkey PRIMARY KEY (id),
  constraint role_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint role_changes_check CHECK (((operator IS NOT NULL) OR (clip_user IS NOT NULL))),
  constraint role_changes_check1 CHECK (((status = 'pending'::text) = (decided_by IS NULL))),
  constraint role_changes_check2 CHECK (((status <> 'approved'::text) OR (decided_by <> requested_by) OR decided_alone)),
  constraint role_changes_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);
CREATE INDEX role_changes_newest ON public.role_changes USING btree (requested_at DESC, id DESC);
CREATE UNIQUE INDEX role_changes_pending ON public.role_changes USING btree (user_id) WHERE (status = 'pending'::text);
comment on table role_changes is 'directory';
alter table role_changes enable row level security;
alter table role_changes force row level security;
create policy across on role_changes to swath_across using true;
grant select, insert, update, delete on role_changes to swath_across;

create table sandbox_host_orders (
  organization_id uuid not null,
  host text not null,
  reference text not null,
  ready_at timestamp with time zone,
  missing_scenes integer not null default 0,
  refusal text,
  wrong_checksums integer not null default 0,
  constraint sandbox_host_orders_pkey PRIMARY KEY (organization_id, host, reference)
);
comment on table sandbox_host_orders is 'tenant';
alter table sandbox_host_orders enable row level security;
alter table sandbox_host_orders force row level security;
create policy across on sandbox_host_orders to swath_across using true;
create policy tenant on sandbox_host_orders to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on sandbox_host_orders to swath_across;
grant select, insert, update, delete on sandbox_host_orders to swath_app;

create table sandbox_scenarios (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  host text,
  parameters jsonb not null,
  remaining integer not null,
  created_at timestamp with time zone not null,
  constraint sandbox_scenarios_pkey PRIMARY KEY (organization_id, id),
  constraint sandbox_scenarios_remaining_check CHECK ((remaining >= 0))
);
CREATE INDEX sandbox_scenarios_open ON public.sandbox_scenarios USING btree (organization_id, kind, id) WHERE (remaining > 0);
comment on table sandbox_scenarios is 'tenant';
alter table sandbox_scenarios enable row level security;
alter table sandbox_scenarios force row level security;
create policy across on sandbox_scenarios to swath_across using true;
create policy tenant on sandbox_scenarios to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on sandbox_scenarios to swath_across;
grant select, insert, update, delete on sandbox_scenarios to swath_app;

create table sandbox_tasks (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  data jsonb not null,
  singleton_key text not null,
  due_at timestamp with time zone not null,
  attempts integer not null default 0,
  constraint sandbox_tasks_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX sandbox_tasks_due ON public.sandbox_tasks USING btree (organization_id, due_at, id);
CREATE UNIQUE INDEX sandbox_tasks_key ON public.sandbox_tasks USING btree (organization_id, name, singleton_key);
comment on table sandbox_tasks is 'tenant';
alter table sandbox_tasks enable row level security;
alter table sandbox_tasks force row level security;
create policy across on sandbox_tasks to swath_across using true;
create policy tenant on sandbox_tasks to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on sandbox_tasks to swath_across;
grant select, insert, update, delete on sandbox_tasks to swath_app;

create table sandboxes (
  organization_id uuid not null,
  seed text not null,
  now timestamp with time zone not null,
  created_at timestamp with time zone not null,
  resets integer not null default 0,
  lease_id uuid,
  lease_until timestamp with time zone,
  advance_target timestamp with time zone,
  advance_steps integer not null default 0,
  constraint sandboxes_pkey PRIMARY KEY (organization_id),
  constraint sandboxes_organization_id_check CHECK (swath_is_sandbox(organization_id))
);
comment on table sandboxes is 'tenant';
alter table sandboxes enable row level security;
alter table sandboxes force row level security;
create policy across on sandboxes to swath_across using true;
create policy tenant on sandboxes to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on sandboxes to swath_across;
grant select, insert, update, delete on sandboxes to swath_app;

create table saved_search_scenes (
  organization_id uuid not null,
  search_id uuid not null,
  source_id text collate "C" not null,
  scene_id text collate "C" not null,
  acquired_at timestamp with time zone not null,
  matched_at timestamp with time zone,
  constraint saved_search_scenes_pkey PRIMARY KEY (organization_id, search_id, source_id, scene_id),
  constraint saved_search_scenes_organization_id_search_id_fkey FOREIGN KEY (organization_id, search_id) REFERENCES saved_searches(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX saved_search_scenes_newest ON public.saved_search_scenes USING btree (organization_id, search_id, matched_at DESC) WHERE (matched_at IS NOT NULL);
comment on table saved_search_scenes is 'tenant';
alter table saved_search_scenes enable row level security;
alter table saved_search_scenes force row level security;
create policy across on saved_search_scenes to swath_across using true;
create policy tenant on saved_search_scenes to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on saved_search_scenes to swath_across;
grant select, insert, update, delete on saved_search_scenes to swath_app;

create table saved_search_sources (
  organization_id uuid not null,
  search_id uuid not null,
  source_id text collate "C" not null,
  watched_since timestamp with time zone not null,
  last_run_at timestamp with time zone,
  failures integer not null default 0,
  error text,
  next_run_at timestamp with time zone not null,
  constraint saved_search_sources_pkey PRIMARY KEY (organization_id, search_id, source_id),
  constraint saved_search_sources_organization_id_search_id_fkey FOREIGN KEY (organization_id, search_id) REFERENCES saved_searches(organization_id, id) ON DELETE CASCADE,
  constraint saved_search_sources_failures_check CHECK ((failures >= 0))
);
comment on table saved_search_sources is 'tenant';
alter table saved_search_sources enable row level security;
alter table saved_search_sources force row level security;
create policy across on saved_search_sources to swath_across using true;
create policy tenant on saved_search_sources to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on saved_search_sources to swath_across;
grant select, insert, update, delete on saved_search_sources to swath_app;

create table saved_searches (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  source_ids text[],
  filters jsonb not null,
  notify boolean not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  last_matched_at timestamp with time zone,
  next_run_at timestamp with time zone,
  constraint saved_searches_pkey PRIMARY KEY (organization_id, id),
  constraint saved_searches_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id)
);
CREATE INDEX saved_searches_due ON public.saved_searches USING btree (organization_id, next_run_at) WHERE (next_run_at IS NOT NULL);
CREATE UNIQUE INDEX saved_searches_name ON public.saved_searches USING btree (organization_id, project_id, lower(name));
comment on table saved_searches is 'tenant';
alter table saved_searches enable row level security;
alter table saved_searches force row level security;
create policy across on saved_searches to swath_across using true;
create policy tenant on saved_searches to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on saved_searches to swath_across;
grant select, insert, update, delete on saved_searches to swath_app;

create table schema_migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  min_program integer,
  constraint schema_migrations_pkey PRIMARY KEY (number)
);
comment on table schema_migrations is 'machinery';
grant select on schema_migrations to swath_across;

create table scim_group_members (
  organization_id uuid not null,
  group_id uuid not null,
  resource_id uuid not null,
  constraint scim_group_members_pkey PRIMARY KEY (organization_id, group_id, resource_id)
);
CREATE INDEX scim_group_members_resource ON public.scim_group_members USING btree (organization_id, resource_id);
comment on table scim_group_members is 'tenant';
alter table scim_group_members enable row level security;
alter table scim_group_members force row level security;
create policy across on scim_group_members to swath_across using true;
create policy tenant on scim_group_members to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on scim_group_members to swath_across;
grant select, insert, update, delete on scim_group_members to swath_app;

create table scim_groups (
  organization_id uuid not null,
  id uuid not null,
  display_name text not null,
  external_id text collate "C",
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint scim_groups_pkey PRIMARY KEY (organization_id, id)
);
comment on table scim_groups is 'tenant';
alter table scim_groups enable row level security;
alter table scim_groups force row level security;
create policy across on scim_groups to swath_across using true;
create policy tenant on scim_groups to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on scim_groups to swath_across;
grant select, insert, update, delete on scim_groups to swath_app;

create table scim_token_directory (
  token_hash text collate "C" not null,
  organization_id uuid not null,
  token_id uuid not null,
  constraint scim_token_directory_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX scim_token_directory_token ON public.scim_token_directory USING btree (organization_id, token_id);
comment on table scim_token_directory is 'directory';
alter table scim_token_directory enable row level security;
alter table scim_token_directory force row level security;
create policy across on scim_token_directory to swath_across using true;
grant select, insert, update, delete on scim_token_directory to swath_across;

create table scim_tokens (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint scim_tokens_pkey PRIMARY KEY (organization_id, id)
);
comment on table scim_tokens is 'tenant';
alter table scim_tokens enable row level security;
alter table scim_tokens force row level security;
create policy across on scim_tokens to swath_across using true;
create policy tenant on scim_tokens to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on scim_tokens to swath_across;
grant select, insert, update, delete on scim_tokens to swath_app;

create table scim_users (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  user_name text not null,
  user_name_key text collate "C" not null,
  external_id text collate "C",
  active boolean not null,
  attributes jsonb not null,
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint scim_users_pkey PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX scim_users_name ON public.scim_users USING btree (organization_id, user_name_key);
CREATE UNIQUE INDEX scim_users_user ON public.scim_users USING btree (organization_id, user_id);
comment on table scim_users is 'tenant';
alter table scim_users enable row level security;
alter table scim_users force row level security;
create policy across on scim_users to swath_across using true;
create policy tenant on scim_users to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on scim_users to swath_across;
grant select, insert, update, delete on scim_users to swath_app;

create table sessions (
  id uuid not null,
  kind text not null,
  user_id uuid,
  key_id uuid,
  organization_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  revoked_because text,
  cookie_hash text collate "C",
  authenticated_at timestamp with time zone,
  browser_session_id uuid,
  client_id text,
  openid boolean not null default false,
  scopes text[],
  provider_organization_id uuid,
  address text,
  user_agent text,
  grant_type text,
  amr text[],
  resources text[],
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_browser_session_id_fkey FOREIGN KEY (browser_session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint sessions_check CHECK ((((kind = 'human'::text) AND (user_id IS NOT NULL)) OR ((kind = 'api_key'::text) AND (key_id IS NOT NULL) AND (organization_id IS NOT NULL)))),
  constraint sessions_check1 CHECK ((((cookie_hash IS NULL) AND (browser_session_id IS NULL)) OR ((kind = 'human'::text) AND (authenticated_at IS NOT NULL)))),
  constraint sessions_check2 CHECK (((cookie_hash IS NULL) OR (browser_session_id IS NULL))),
  constraint sessions_client_of_browser CHECK (((browser_session_id IS NULL) OR (client_id IS NOT NULL))),
  constraint sessions_kind_check CHECK ((kind = ANY (ARRAY['human'::text, 'api_key'::text])))
);
CREATE INDEX sessions_browser ON public.sessions USING btree (browser_session_id) WHERE (browser_session_id IS NOT NULL);
CREATE INDEX sessions_client ON public.sessions USING btree (client_id) WHERE (client_id IS NOT NULL);
CREATE UNIQUE INDEX sessions_cookie ON public.sessions USING btree (cookie_hash) WHERE (cookie_hash IS NOT NULL);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_key ON public.sessions USING btree (key_id) WHERE (key_id IS NOT NULL);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id) WHERE (user_id IS NOT NULL);
comment on table sessions is 'directory';
alter table sessions enable row level security;
alter table sessions force row level security;
create policy across on sessions to swath_across using true;
grant select, insert, update, delete on sessions to swath_across;

create table share_links (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  target_type text not null,
  target_id uuid not null,
  permission text not null,
  token_sealed text not null,
  password_hash text not null,
  password_version integer not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  view_cap bigint,
  cost_cap_credits bigint,
  views bigint not null default 0,
  tiles bigint not null default 0,
  paid_tiles bigint not null default 0,
  downloads bigint not null default 0,
  cost_credits bigint not null default 0,
  last_accessed_at timestamp with time zone,
  created_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  default_stretch text,
  constraint share_links_pkey PRIMARY KEY (organization_id, id),
  constraint share_links_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id),
  constraint share_links_cost_cap_credits_check CHECK ((cost_cap_credits >= 0)),
  constraint share_links_cost_credits_check CHECK ((cost_credits >= 0)),
  constraint share_links_default_stretch_check CHECK ((default_stretch = ANY (ARRAY['natural'::text, 'linear'::text]))),
  constraint share_links_downloads_check CHECK ((downloads >= 0)),
  constraint share_links_paid_tiles_check CHECK ((paid_tiles >= 0)),
  constraint share_links_permission_check CHECK ((permission = ANY (ARRAY['view'::text, 'download'::text]))),
  constraint share_links_target_type_check CHECK ((target_type = ANY (ARRAY['item'::text, 'collection'::text]))),
  constraint share_links_tiles_check CHECK ((tiles >= 0)),
  constraint share_links_view_cap_check CHECK ((view_cap >= 0)),
  constraint share_links_views_check CHECK ((views >= 0))
);
CREATE INDEX share_links_newest ON public.share_links USING btree (organization_id, project_id, created_at DESC, id DESC);
CREATE INDEX share_links_target ON public.share_links USING btree (organization_id, target_id);
comment on table share_links is 'tenant';
alter table share_links enable row level security;
alter table share_links force row level security;
create policy across on share_links to swath_across using true;
create policy tenant on share_links to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on share_links to swath_across;
grant select, insert, update on share_links to swath_app;

create table share_token_directory (
  token_hash text collate "C" not null,
  organization_id uuid not null,
  link_id uuid not null,
  constraint share_token_directory_pkey PRIMARY KEY (token_hash)
);
CREATE UNIQUE INDEX share_token_directory_link ON public.share_token_directory USING btree (link_id);
comment on table share_token_directory is 'directory';
alter table share_token_directory enable row level security;
alter table share_token_directory force row level security;
create policy across on share_token_directory to swath_across using true;
grant select, insert, update, delete on share_token_directory to swath_across;

create table signing_key_ring (
  id integer not null,
  version integer not null,
  keys jsonb not null,
  constraint signing_key_ring_pkey PRIMARY KEY (id),
  constraint signing_key_ring_id_check CHECK ((id = 1))
);
comment on table signing_key_ring is 'directory';
alter table signing_key_ring enable row level security;
alter table signing_key_ring force row level security;
create policy across on signing_key_ring to swath_across using true;
grant select, insert, update, delete on signing_key_ring to swath_across;

create table standing_order_scenes (
  organization_id uuid not null,
  standing_order_id uuid not null,
  source_id text collate "C" not null,
  scene_id text collate "C" not null,
  acquired_at timestamp with time zone not null,
  status text not null,
  reason text,
  credits bigint,
  order_id uuid,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint standing_order_scenes_pkey PRIMARY KEY (organization_id, standing_order_id, source_id, scene_id),
  constraint standing_order_scenes_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint standing_order_scenes_organization_id_standing_order_id_fkey FOREIGN KEY (organization_id, standing_order_id) REFERENCES standing_orders(organization_id, id) ON DELETE CASCADE,
  constraint standing_order_scenes_attempts_check CHECK ((attempts >= 0)),
  constraint standing_order_scenes_check CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint standing_order_scenes_check1 CHECK (((status = 'ordered'::text) = (order_id IS NOT NULL))),
  constraint standing_order_scenes_credits_check CHECK ((credits >= 0)),
  constraint standing_order_scenes_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'proposed'::text, 'ordered'::text, 'rejected'::text, 'skipped'::text])))
);
CREATE INDEX standing_order_scenes_due ON public.standing_order_scenes USING btree (organization_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX standing_order_scenes_newest ON public.standing_order_scenes USING btree (organization_id, standing_order_id, created_at DESC);
CREATE UNIQUE INDEX standing_order_scenes_order ON public.standing_order_scenes USING btree (organization_id, order_id) WHERE (order_id IS NOT NULL);
comment on table standing_order_scenes is 'tenant';
alter table standing_order_scenes enable row level security;
alter table standing_order_scenes force row level security;
create policy across on standing_order_scenes to swath_across using true;
create policy tenant on standing_order_scenes to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on standing_order_scenes to swath_across;
grant select, insert, update, delete on standing_order_scenes to swath_app;

create table standing_orders (
  organization_id uuid not null,
  id uuid not null,
  saved_search_id uuid not null,
  project_id uuid not null,
  name text not null,
  area jsonb not null,
  mode text not null,
  data_product_id text,
  license_type text,
  max_credits_per_scene bigint not null,
  max_credits_per_month bigint not null,
  status text not null,
  status_reason text,
  capped_until timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint standing_orders_pkey PRIMARY KEY (organization_id, id),
  constraint standing_orders_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id),
  constraint standing_orders_max_credits_per_month_check CHECK ((max_credits_per_month >= 0)),
  constraint standing_orders_max_credits_per_scene_check CHECK ((max_credits_per_scene >= 0)),
  constraint standing_orders_mode_check CHECK ((mode = ANY (ARRAY['buy'::text, 'ask'::text]))),
  constraint standing_orders_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'suspended'::text])))
);
CREATE INDEX standing_orders_project ON public.standing_orders USING btree (organization_id, project_id);
CREATE INDEX standing_orders_search ON public.standing_orders USING btree (organization_id, saved_search_id);
comment on table standing_orders is 'tenant';
alter table standing_orders enable row level security;
alter table standing_orders force row level security;
create policy across on standing_orders to swath_across using true;
create policy tenant on standing_orders to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on standing_orders to swath_across;
grant select, insert, update, delete on standing_orders to swath_app;

create table storage_corrections (
  organization_id uuid not null,
  id uuid not null,
  asset_id uuid,
  bytes_delta bigint not null,
  reason text not null,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamp with time zone not null,
  constraint storage_corrections_pkey PRIMARY KEY (organization_id, id),
  constraint storage_corrections_organization_id_id_fkey FOREIGN KEY (organization_id, id) REFERENCES storage_journal(organization_id, id)
);
CREATE INDEX storage_corrections_newest ON public.storage_corrections USING btree (created_at DESC, id DESC);
comment on table storage_corrections is 'tenant';
alter table storage_corrections enable row level security;
alter table storage_corrections force row level security;
create policy across on storage_corrections to swath_across using true;
create policy tenant on storage_corrections to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on storage_corrections to swath_across;
grant select, insert on storage_corrections to swath_app;
CREATE TRIGGER storage_corrections_immutable BEFORE DELETE OR UPDATE ON public.storage_corrections FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table storage_journal (
  organization_id uuid not null,
  id uuid not null,
  asset_id uuid,
  object_path text collate "C" not null,
  bytes_delta bigint not null,
  cause text not null,
  actor_kind text not null,
  actor_id text not null,
  operation text not null,
  request_id text not null,
  created_at timestamp with time zone not null,
  constraint storage_journal_pkey PRIMARY KEY (organization_id, id),
  constraint storage_journal_bytes_delta_check CHECK ((bytes_delta <> 0))
);
CREATE INDEX storage_journal_asset ON public.storage_journal USING btree (organization_id, asset_id);
comment on table storage_journal is 'tenant';
alter table storage_journal enable row level security;
alter table storage_journal force row level security;
create policy across on storage_journal to swath_across using true;
create policy tenant on storage_journal to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on storage_journal to swath_across;
grant select, insert on storage_journal to swath_app;
CREATE TRIGGER storage_journal_immutable BEFORE DELETE OR UPDATE ON public.storage_journal FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table storage_totals (
  organization_id uuid not null,
  file_bytes bigint not null,
  metadata_bytes bigint not null,
  constraint storage_totals_pkey PRIMARY KEY (organization_id)
);
comment on table storage_totals is 'tenant';
alter table storage_totals enable row level security;
alter table storage_totals force row level security;
create policy across on storage_totals to swath_across using true;
create policy tenant on storage_totals to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update on storage_totals to swath_across;
grant select, insert, update on storage_totals to swath_app;

create table support_accesses (
  organization_id uuid not null,
  id uuid not null,
  operator_id uuid not null,
  operator_email text not null,
  reason text not null,
  hours integer not null,
  status text not null,
  requested_at timestamp with time zone not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  ended_by uuid,
  ended_at timestamp with time zone,
  constraint support_accesses_pkey PRIMARY KEY (organization_id, id),
  constraint support_accesses_check CHECK (((status = ANY (ARRAY['granted'::text, 'refused'::text])) <= (decided_by IS NOT NULL))),
  constraint support_accesses_check1 CHECK (((status = 'ended'::text) = (ended_by IS NOT NULL))),
  constraint support_accesses_hours_check CHECK (((hours >= 1) AND (hours <= 168))),
  constraint support_accesses_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'granted'::text, 'refused'::text, 'ended'::text])))
);
CREATE INDEX support_accesses_newest ON public.support_accesses USING btree (organization_id, requested_at DESC, id DESC);
CREATE UNIQUE INDEX support_accesses_requested ON public.support_accesses USING btree (organization_id, operator_id) WHERE (status = 'requested'::text);
comment on table support_accesses is 'tenant';
alter table support_accesses enable row level security;
alter table support_accesses force row level security;
create policy across on support_accesses to swath_across using true;
create policy tenant on support_accesses to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on support_accesses to swath_across;
grant select, insert, update, delete on support_accesses to swath_app;

create table tasking_decisions (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  order_id uuid not null,
  project_id uuid not null,
  decision text not null,
  type text,
  options jsonb,
  option_id text,
  credits_price bigint,
  decided_at timestamp with time zone,
  decided_by text,
  decide_by timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint tasking_decisions_pkey PRIMARY KEY (organization_id, id),
  constraint tasking_decisions_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint tasking_decisions_check CHECK (((kind <> 'feasibility'::text) OR ((type IS NOT NULL) AND (options IS NOT NULL)))),
  constraint tasking_decisions_check1 CHECK (((kind <> 'quotation'::text) OR (credits_price IS NOT NULL))),
  constraint tasking_decisions_credits_price_check CHECK ((credits_price >= 0)),
  constraint tasking_decisions_kind_check CHECK ((kind = ANY (ARRAY['feasibility'::text, 'quotation'::text]))),
  constraint tasking_decisions_type_check CHECK ((type = ANY (ARRAY['AUTO'::text, 'MANUAL'::text])))
);
CREATE INDEX tasking_decisions_open ON public.tasking_decisions USING btree (organization_id, decide_by) WHERE (decision = 'NOT_DECIDED'::text);
CREATE INDEX tasking_decisions_order ON public.tasking_decisions USING btree (organization_id, order_id);
comment on table tasking_decisions is 'tenant';
alter table tasking_decisions enable row level security;
alter table tasking_decisions force row level security;
create policy across on tasking_decisions to swath_across using true;
create policy tenant on tasking_decisions to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on tasking_decisions to swath_across;
grant select, insert, update, delete on tasking_decisions to swath_app;

create table tasking_groups (
  organization_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  position integer not null,
  name text,
  host text not null,
  product text not null,
  geometry jsonb not null,
  constraints jsonb not null,
  area_km2 double precision not null,
  price jsonb,
  list_price jsonb,
  commitment_id uuid,
  credits bigint not null,
  cancel_hours double precision,
  cancel_fee_pct double precision not null,
  item_id uuid not null,
  reference text,
  stage text not null,
  planned_at timestamp with time zone,
  collects jsonb not null default '[]'::jsonb,
  failure_code text,
  failure_text text,
  ended_at timestamp with time zone,
  constraint tasking_groups_pkey PRIMARY KEY (organization_id, id),
  constraint tasking_groups_organization_id_order_id_position_key UNIQUE (organization_id, order_id, "position"),
  constraint tasking_groups_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint tasking_groups_credits_check CHECK ((credits >= 0))
);
comment on table tasking_groups is 'tenant';
alter table tasking_groups enable row level security;
alter table tasking_groups force row level security;
create policy across on tasking_groups to swath_across using true;
create policy tenant on tasking_groups to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on tasking_groups to swath_across;
grant select, insert, update, delete on tasking_groups to swath_app;

create table tasking_status_changes (
  organization_id uuid not null,
  order_id uuid not null,
  position integer not null,
  at timestamp with time zone not null,
  from_sub_status text,
  to_sub_status text not null,
  reason_code text,
  reason_text text,
  actor text,
  constraint tasking_status_changes_pkey PRIMARY KEY (organization_id, order_id, "position"),
  constraint tasking_status_changes_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id)
);
comment on table tasking_status_changes is 'tenant';
alter table tasking_status_changes enable row level security;
alter table tasking_status_changes force row level security;
create policy across on tasking_status_changes to swath_across using true;
create policy tenant on tasking_status_changes to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert on tasking_status_changes to swath_across;
grant select, insert on tasking_status_changes to swath_app;

create table tasking_templates (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  settings jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint tasking_templates_pkey PRIMARY KEY (organization_id, id),
  constraint tasking_templates_organization_id_name_key UNIQUE (organization_id, name)
);
comment on table tasking_templates is 'tenant';
alter table tasking_templates enable row level security;
alter table tasking_templates force row level security;
create policy across on tasking_templates to swath_across using true;
create policy tenant on tasking_templates to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on tasking_templates to swath_across;
grant select, insert, update, delete on tasking_templates to swath_app;

create table tile_token_directory (
  token_hash text collate "C" not null,
  organization_id uuid not null,
  token_id uuid not null,
  constraint tile_token_directory_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX tile_token_directory_token ON public.tile_token_directory USING btree (organization_id, token_id);
comment on table tile_token_directory is 'directory';
alter table tile_token_directory enable row level security;
alter table tile_token_directory force row level security;
create policy across on tile_token_directory to swath_across using true;
grant select, insert, update, delete on tile_token_directory to swath_across;

create table tile_tokens (
  organization_id uuid not null,
  id uuid not null,
  item_id uuid,
  collection_id uuid,
  name text not null,
  prefix text not null,
  issuer uuid not null,
  key_id uuid,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint tile_tokens_pkey PRIMARY KEY (organization_id, id),
  constraint tile_tokens_check CHECK (((item_id IS NULL) <> (collection_id IS NULL)))
);
CREATE INDEX tile_tokens_collection ON public.tile_tokens USING btree (organization_id, collection_id) WHERE (collection_id IS NOT NULL);
CREATE INDEX tile_tokens_expiry ON public.tile_tokens USING btree (expires_at);
CREATE INDEX tile_tokens_item ON public.tile_tokens USING btree (organization_id, item_id) WHERE (item_id IS NOT NULL);
comment on table tile_tokens is 'tenant';
alter table tile_tokens enable row level security;
alter table tile_tokens force row level security;
create policy across on tile_tokens to swath_across using true;
create policy tenant on tile_tokens to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on tile_tokens to swath_across;
grant select, insert, update, delete on tile_tokens to swath_app;

create table topup_approvals (
  organization_id uuid not null,
  id uuid not null,
  credits bigint not null,
  status text not null,
  requested_by text not null,
  decided_by text,
  reason text,
  expires_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint topup_approvals_pkey PRIMARY KEY (organization_id, id),
  constraint topup_approvals_credits_check CHECK ((credits > 0)),
  constraint topup_approvals_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'expired'::text, 'charge_failed'::text, 'completed'::text])))
);
CREATE INDEX topup_approvals_newest ON public.topup_approvals USING btree (organization_id, created_at DESC);
comment on table topup_approvals is 'tenant';
alter table topup_approvals enable row level security;
alter table topup_approvals force row level security;
create policy across on topup_approvals to swath_across using true;
create policy tenant on topup_approvals to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on topup_approvals to swath_across;
grant select, insert, update, delete on topup_approvals to swath_app;

create table topups (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  credits bigint not null,
  payment_method_id uuid not null,
  approval_id uuid,
  idempotency_key text collate "C",
  attempt integer not null default 1,
  intent text,
  state text not null,
  failure_code text,
  entry_id uuid,
  lot_id uuid,
  refunded_credits bigint not null default 0,
  requested_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  user_id uuid,
  constraint topups_pkey PRIMARY KEY (organization_id, id),
  constraint topups_organization_id_intent_key UNIQUE (organization_id, intent),
  constraint topups_organization_id_entry_id_fkey FOREIGN KEY (organization_id, entry_id) REFERENCES journal_entries(organization_id, id),
  constraint topups_organization_id_payment_method_id_fkey FOREIGN KEY (organization_id, payment_method_id) REFERENCES payment_methods(organization_id, id),
  constraint topups_attempt_check CHECK ((attempt > 0)),
  constraint topups_check CHECK (((refunded_credits >= 0) AND (refunded_credits <= credits))),
  constraint topups_credits_check CHECK ((credits > 0)),
  constraint topups_kind_check CHECK ((kind = ANY (ARRAY['topup'::text, 'auto'::text, 'approval'::text]))),
  constraint topups_state_check CHECK ((state = ANY (ARRAY['starting'::text, 'action'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX topups_newest ON public.topups USING btree (organization_id, created_at DESC);
CREATE INDEX topups_of_approval ON public.topups USING btree (organization_id, approval_id) WHERE (approval_id IS NOT NULL);
CREATE UNIQUE INDEX topups_of_key ON public.topups USING btree (organization_id, idempotency_key, attempt) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX topups_of_user ON public.topups USING btree (organization_id, user_id, created_at) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX topups_one_automatic ON public.topups USING btree (organization_id) WHERE ((kind = 'auto'::text) AND (state = ANY (ARRAY['starting'::text, 'action'::text])));
comment on table topups is 'tenant';
alter table topups enable row level security;
alter table topups force row level security;
create policy across on topups to swath_across using true;
create policy tenant on topups to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on topups to swath_across;
grant select, insert, update, delete on topups to swath_app;

create table upload_addresses (
  organization_id uuid not null,
  upload_id uuid not null,
  file_id uuid not null,
  part integer not null,
  size_bytes bigint not null,
  constraint upload_addresses_pkey PRIMARY KEY (organization_id, upload_id, file_id, part),
  constraint upload_addresses_organization_id_upload_id_fkey FOREIGN KEY (organization_id, upload_id) REFERENCES uploads(organization_id, id),
  constraint upload_addresses_part_check CHECK (((part >= 0) AND (part <= 10000))),
  constraint upload_addresses_size_bytes_check CHECK ((size_bytes >= 0))
);
comment on table upload_addresses is 'tenant';
alter table upload_addresses enable row level security;
alter table upload_addresses force row level security;
create policy across on upload_addresses to swath_across using true;
create policy tenant on upload_addresses to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on upload_addresses to swath_across;
grant select, insert, update, delete on upload_addresses to swath_app;

create table upload_files (
  organization_id uuid not null,
  upload_id uuid not null,
  id uuid not null,
  file_name text collate "C" not null,
  object_path text collate "C" not null,
  media_type text not null,
  part_upload text,
  parent_id uuid,
  status text not null,
  size_bytes bigint,
  sha256 text,
  etag text,
  reason text,
  item_ids uuid[] not null default '{}'::uuid[],
  created_at timestamp with time zone not null,
  notes text[] not null default '{}'::text[],
  constraint upload_files_pkey PRIMARY KEY (organization_id, id),
  constraint upload_files_organization_id_upload_id_fkey FOREIGN KEY (organization_id, upload_id) REFERENCES uploads(organization_id, id),
  constraint upload_files_check CHECK (((status <> 'verified'::text) OR ((size_bytes IS NOT NULL) AND (sha256 IS NOT NULL)))),
  constraint upload_files_check1 CHECK (((reason IS NOT NULL) = (status = 'refused'::text))),
  constraint upload_files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint upload_files_status_check CHECK ((status = ANY (ARRAY['expected'::text, 'verified'::text, 'ingested'::text, 'refused'::text])))
);
CREATE UNIQUE INDEX upload_files_name ON public.upload_files USING btree (organization_id, upload_id, file_name);
comment on table upload_files is 'tenant';
alter table upload_files enable row level security;
alter table upload_files force row level security;
create policy across on upload_files to swath_across using true;
create policy tenant on upload_files to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on upload_files to swath_across;
grant select, insert, update, delete on upload_files to swath_app;

create table uploads (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  status text not null,
  transfer_method text not null,
  file_count integer not null,
  total_bytes bigint not null,
  reserved_bytes bigint not null,
  bytes_uploaded bigint not null,
  target_collection_id uuid,
  target_item_id uuid,
  asset_key text collate "C",
  is_categorical boolean not null,
  error_message text,
  error_step text,
  attempt integer not null,
  expires_at timestamp with time zone,
  clean_at timestamp with time zone,
  created_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  addressed_bytes bigint not null default 0,
  addresses_end_at timestamp with time zone,
  constraint uploads_pkey PRIMARY KEY (organization_id, id),
  constraint uploads_organization_id_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects(organization_id, id),
  constraint uploads_addressed_bytes_check CHECK ((addressed_bytes >= 0)),
  constraint uploads_bytes_uploaded_check CHECK ((bytes_uploaded >= 0)),
  constraint uploads_check CHECK (((expires_at IS NOT NULL) = (status = ANY (ARRAY['initiated'::text, 'uploading'::text, 'uploaded'::text])))),
  constraint uploads_check1 CHECK (((reserved_bytes = 0) OR (status <> ALL (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])))),
  constraint uploads_file_count_check CHECK ((file_count > 0)),
  constraint uploads_reserved_bytes_check CHECK ((reserved_bytes >= 0)),
  constraint uploads_status_check CHECK ((status = ANY (ARRAY['initiated'::text, 'uploading'::text, 'uploaded'::text, 'ingesting'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'expired'::text]))),
  constraint uploads_total_bytes_check CHECK ((total_bytes >= 0)),
  constraint uploads_transfer_method_check CHECK ((transfer_method = ANY (ARRAY['browser'::text, 'cli'::text, 'cloud_transfer'::text])))
);
CREATE INDEX uploads_cleaning ON public.uploads USING btree (clean_at) WHERE (clean_at IS NOT NULL);
CREATE INDEX uploads_expiring ON public.uploads USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX uploads_ingesting ON public.uploads USING btree (updated_at) WHERE (status = 'ingesting'::text);
CREATE INDEX uploads_newest ON public.uploads USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX uploads_open ON public.uploads USING btree (organization_id, expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX uploads_reserved ON public.uploads USING btree (organization_id) WHERE ((reserved_bytes > 0) OR (addressed_bytes > 0));
comment on table uploads is 'tenant';
alter table uploads enable row level security;
alter table uploads force row level security;
create policy across on uploads to swath_across using true;
create policy tenant on uploads to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on uploads to swath_across;
grant select, insert, update, delete on uploads to swath_app;

create table usage_counts (
  organization_id uuid not null,
  day date not null,
  operation text not null,
  caller_kind text not null,
  caller_id text not null,
  calls bigint not null,
  failed bigint not null,
  duration_ms bigint not null,
  updated_at timestamp with time zone not null,
  constraint usage_counts_pkey PRIMARY KEY (organization_id, day, operation, caller_kind, caller_id)
);
comment on table usage_counts is 'tenant';
alter table usage_counts enable row level security;
alter table usage_counts force row level security;
create policy across on usage_counts to swath_across using true;
create policy tenant on usage_counts to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on usage_counts to swath_across;
grant select, insert, update, delete on usage_counts to swath_app;

create table user_consents (
  user_id uuid not null,
  client_id text collate "C" not null,
  organization_id uuid not null,
  client_name text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint user_consents_pkey PRIMARY KEY (user_id, client_id, organization_id)
);
CREATE INDEX user_consents_client ON public.user_consents USING btree (client_id);
comment on table user_consents is 'directory';
alter table user_consents enable row level security;
alter table user_consents force row level security;
create policy across on user_consents to swath_across using true;
grant select, insert, update, delete on user_consents to swath_across;

create table user_organizations (
  user_id uuid not null,
  organization_id uuid not null,
  joined_at timestamp with time zone not null,
  constraint user_organizations_pkey PRIMARY KEY (user_id, organization_id)
);
CREATE INDEX user_organizations_organization ON public.user_organizations USING btree (organization_id);
comment on table user_organizations is 'directory';
alter table user_organizations enable row level security;
alter table user_organizations force row level security;
create policy across on user_organizations to swath_across using true;
grant select, insert, update, delete on user_organizations to swath_across;

create table user_totp (
  user_id uuid not null,
  sealed_secret text not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint,
  constraint user_totp_pkey PRIMARY KEY (user_id),
  constraint user_totp_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table user_totp is 'directory';
alter table user_totp enable row level security;
alter table user_totp force row level security;
create policy across on user_totp to swath_across using true;
grant select, insert, update, delete on user_totp to swath_across;

create table users (
  id uuid not null,
  email text not null,
  email_key text collate "C" not null,
  name text,
  password_hash text,
  password_temporary boolean not null,
  organization_id uuid,
  is_administrator boolean not null,
  is_clip_user boolean not null,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  first_sign_in_at timestamp with time zone,
  language text,
  time_zone text,
  deleted_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key_key UNIQUE (email_key),
  constraint users_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'fr'::text])))
);
CREATE INDEX users_administrators ON public.users USING btree (first_sign_in_at) WHERE is_administrator;
CREATE INDEX users_organization ON public.users USING btree (organization_id);
comment on table users is 'directory';
alter table users enable row level security;
alter table users force row level security;
create policy across on users to swath_across using true;
grant select, insert, update, delete on users to swath_across;

create table visualization_profiles (
  organization_id uuid not null,
  id uuid not null,
  item_id uuid not null,
  name text not null,
  layer text not null,
  type text not null,
  is_default boolean not null,
  sort_order integer not null,
  config jsonb not null,
  asset_key text collate "C",
  version integer not null,
  created_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint visualization_profiles_pkey PRIMARY KEY (organization_id, id),
  constraint visualization_profiles_organization_id_item_id_fkey FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id),
  constraint visualization_profiles_layer_check CHECK ((layer = ANY (ARRAY['sensor'::text, 'auto'::text, 'user'::text]))),
  constraint visualization_profiles_type_check CHECK ((type = ANY (ARRAY['rgb'::text, 'singleband'::text, 'multiband'::text, 'expression'::text])))
);
CREATE UNIQUE INDEX visualization_profiles_default ON public.visualization_profiles USING btree (organization_id, item_id) WHERE is_default;
CREATE UNIQUE INDEX visualization_profiles_name ON public.visualization_profiles USING btree (organization_id, item_id, lower(name));
comment on table visualization_profiles is 'tenant';
alter table visualization_profiles enable row level security;
alter table visualization_profiles force row level security;
create policy across on visualization_profiles to swath_across using true;
create policy tenant on visualization_profiles to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on visualization_profiles to swath_across;
grant select, insert, update, delete on visualization_profiles to swath_app;

create table webhooks (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  url text not null,
  events text[] not null,
  created_by uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  created_by_key uuid,
  constraint webhooks_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX webhooks_project ON public.webhooks USING btree (organization_id, project_id, created_at DESC, id DESC);
comment on table webhooks is 'tenant';
alter table webhooks enable row level security;
alter table webhooks force row level security;
create policy across on webhooks to swath_across using true;
create policy tenant on webhooks to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on webhooks to swath_across;
grant select, insert, update, delete on webhooks to swath_app;

create table worker_token_directory (
  token_hash text collate "C" not null,
  organization_id uuid not null,
  job_id uuid not null,
  constraint worker_token_directory_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX worker_token_directory_job ON public.worker_token_directory USING btree (organization_id, job_id);
comment on table worker_token_directory is 'directory';
alter table worker_token_directory enable row level security;
alter table worker_token_directory force row level security;
create policy across on worker_token_directory to swath_across using true;
grant select, insert, update, delete on worker_token_directory to swath_across;

create table worker_tokens (
  organization_id uuid not null,
  job_id uuid not null,
  token_hash text collate "C" not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  created_by text,
  constraint worker_tokens_pkey PRIMARY KEY (organization_id, job_id)
);
comment on table worker_tokens is 'tenant';
alter table worker_tokens enable row level security;
alter table worker_tokens force row level security;
create policy across on worker_tokens to swath_across using true;
create policy tenant on worker_tokens to swath_app using (organization_id = (current_setting('app.organization_id'::text))::uuid);
grant select, insert, update, delete on worker_tokens to swath_across;
grant select, insert, update, delete on worker_tokens to swath_app;

CREATE OR REPLACE FUNCTION public.item_cloud_band(cloud_cover double precision)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when cloud_cover is null then -1 else least(floor(greatest(cloud_cover, 0) / 10), 9) end::smallint
$function$;

CREATE OR REPLACE FUNCTION public.item_metadata_bytes(description text, properties jsonb, links jsonb, stac_assets json, stac_extensions text[], stac_source jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select octet_length(properties::text) + octet_length(links::text) + coalesce(octet_length(stac_assets::text), 0)
    + coalesce(octet_length(description), 0) + octet_length(array_to_string(stac_extensions, ' '))
    + coalesce(octet_length(stac_source::text), 0)
$function$;

CREATE OR REPLACE FUNCTION public.item_month(covers_from timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select date_trunc('month', covers_from at time zone 'UTC')::date
$function$;

CREATE OR REPLACE FUNCTION public.item_property_types(properties jsonb)
 RETURNS TABLE(name text, type text)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select p.key, jsonb_typeof(p.value) from jsonb_each(properties) p
  where jsonb_typeof(p.value) <> 'null' and octet_length(p.key) <= 1024
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_rewriting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changing text[] := case when old.number is null then '{status,paid_at,number,sequence}' else '{status,paid_at}' end::text[];
begin
  if to_jsonb(new) - changing is distinct from to_jsonb(old) - changing then
    raise exception 'what % says is never changed', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.swath_admit(service text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
declare
  modern boolean := current_setting('server_version_num')::int >= 160000;
  role_name text;
begin
  foreach role_name in array array['swath_app', 'swath_across'] loop
    if not pg_has_role(service, role_name, case when modern then 'set' else 'member' end) then
      execute format(
        'grant %I to %I %s', role_name, service, case when modern then 'with inherit false, set true' else '' end);
    end if;
  end loop;
end
$function$;
revoke execute on function swath_admit(text) from public;

CREATE OR REPLACE FUNCTION public.swath_attempt_partition(day date)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select 'event_delivery_attempts_' || to_char(day, 'YYYYMMDD')
$function$;

CREATE OR REPLACE FUNCTION public.swath_cancel_search()
 RETURNS text
 LANGUAGE plpgsql
 COST 1
AS $function$
begin
  raise exception 'canceling statement because conditions on long texts took too long' using errcode = 'query_canceled';
end $function$;

CREATE OR REPLACE FUNCTION public.swath_close_partition(partition_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
begin
  execute format('alter table public.%I enable row level security', partition_name);
  execute format('alter table public.%I force row level security', partition_name);
  execute format('revoke all on table public.%I from public, swath_app, swath_across', partition_name);
end
$function$;
revoke execute on function swath_close_partition(text) from public;

CREATE OR REPLACE FUNCTION public.swath_create_attempt_days(days_ahead integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select public.swath_create_days('event_delivery_attempts', days_ahead)
$function$;
revoke execute on function swath_create_attempt_days(integer) from public;

CREATE OR REPLACE FUNCTION public.swath_create_days(table_name text, days_ahead integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '5s'
AS $function$
declare
  key_column constant text := public.swath_day_key(table_name);
  default_partition constant text := table_name || '_default';
  today constant date := (statement_timestamp() at time zone 'UTC')::date;
  days date[];
  found_days date[];
  partition_day date;
  partition_name text;
  created integer := 0;
  has_rows boolean;
begin
  if days_ahead is null or days_ahead not between 0 and 31 then
    raise exception 'partitions are created for 0 to 31 days ahead';
  end if;
  if not public.swath_has_days(table_name) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('days of ' || table_name, 0));
  has_rows := pg_relation_size(format('public.%I', default_partition)::regclass) > 0;
  days := array(select today + n from generate_series(0, days_ahead) n);
  if has_rows then
    -- The owner sees the rows while it holds the lock that this takes.
    execute format('alter table public.%I no force row level security', default_partition);
    execute format(
      'select array(select distinct public.swath_day_of_id(%1$I) from public.%2$I where %1$I >= %3$L and %1$I < %4$L)',
      key_column, default_partition, public.swath_first_id(today - 366), public.swath_first_id(today + days_ahead + 1))
      into found_days;
    days := days || found_days;
  end if;
  foreach partition_day in array days
  loop
    partition_name := public.swath_day_partition(table_name, partition_day);
    continue when to_regclass(format('public.%I', partition_name)) is not null;
    execute format(
      'create table public.%I (like public.%I including defaults including constraints including indexes)', partition_name, table_name);
    if has_rows then
      execute format(
        'with moved as (
           delete from public.%5$I where %4$I >= %2$L and %4$I < %3$L returning *
         )
         insert into public.%1$I select * from moved',
        partition_name, public.swath_first_id(partition_day), public.swath_first_id(partition_day + 1), key_column,
        default_partition);
    end if;
    perform public.swath_close_partition(partition_name);
    execute format(
      'alter table public.%I attach partition public.%I for values from (%L) to (%L)',
      table_name, partition_name, public.swath_first_id(partition_day), public.swath_first_id(partition_day + 1));
    created := created + 1;
  end loop;
  if has_rows then
    execute format('alter table public.%I force row level security', default_partition);
  end if;
  return created;
end
$function$;
revoke execute on function swath_create_days(text,integer) from public;

CREATE OR REPLACE FUNCTION public.swath_day_key(table_name text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  key_column text;
begin
  select a.attname into key_column
  from pg_class c
  join pg_index x on x.indrelid = c.oid and x.indisprimary
  join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[x.indnkeyatts - 1]
  where c.relnamespace = 'public'::regnamespace and c.relname = table_name and c.relname = any (public.swath_logs_by_day())
    and a.atttypid = 'uuid'::regtype;
  if key_column is null then
    raise exception '% is not a log with a partition for each day', coalesce(quote_ident(table_name), 'null');
  end if;
  return key_column;
end
$function$;

CREATE OR REPLACE FUNCTION public.swath_day_of_id(id uuid)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (timestamp 'epoch' + ('x0000' || left(replace(id::text, '-', ''), 12))::bit(64)::bigint * interval '1 millisecond')::date
$function$;

CREATE OR REPLACE FUNCTION public.swath_day_partition(table_name text, day date)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select table_name || to_char(day, '_YYYYMMDD')
$function$;

CREATE OR REPLACE FUNCTION public.swath_directory_table(table_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
begin
  execute format('comment on table public.%I is %L', table_name, 'directory');
  execute format('revoke all on table public.%I from public, swath_app', table_name);
  perform public.swath_force_policies(table_name);
  perform public.swath_grant_to('swath_across', table_name, 'select, insert, update, delete');
end
$function$;
revoke execute on function swath_directory_table(text) from public;

CREATE OR REPLACE FUNCTION public.swath_drop_attempt_days(kept_days integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select public.swath_drop_days('event_delivery_attempts', kept_days)
$function$;
revoke execute on function swath_drop_attempt_days(integer) from public;

CREATE OR REPLACE FUNCTION public.swath_drop_days(table_name text, kept_days integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '5s'
AS $function$
declare
  first_kept constant date := public.swath_first_kept_day(kept_days);
  key_column constant text := public.swath_day_key(table_name);
  has_days constant boolean := public.swath_has_days(table_name);
  bound uuid := public.swath_first_id(first_kept);
  oldest uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('days of ' || table_name, 0));
  if not has_days then
    execute format('select %1$I from public.%2$I where %1$I < %3$L order by %1$I limit 1', key_column, table_name, bound) into oldest;
    if oldest is null then
      return 0;
    end if;
    bound := least(bound, public.swath_next_hour(oldest));
  end if;
  if table_name = 'events' then
    perform public.swath_keep_of_events(bound);
  end if;
  if has_days then
    return public.swath_drop_partitions(table_name, first_kept);
  end if;
  execute format('delete from public.%I where %I < %L', table_name, key_column, bound);
  return 1;
end
$function$;
revoke execute on function swath_drop_days(text,integer) from public;

CREATE OR REPLACE FUNCTION public.swath_drop_partitions(table_name text, first_kept date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '5s'
AS $function$
declare
  key_column constant text := public.swath_day_key(table_name);
  default_partition constant text := table_name || '_default';
  partition_name text;
  dropped integer := 0;
begin
  if first_kept is null or first_kept > public.swath_first_kept_day(1) then
    raise exception 'a day that is not over cannot be dropped';
  end if;
  if table_name = 'events'
    and current_setting('swath.events_kept', true)
      is distinct from format('%s %s', pg_current_xact_id(), public.swath_first_id(first_kept))
  then
    raise exception 'days of events are dropped by swath_drop_days, which keeps the first events and the counts';
  end if;
  -- By their bounds, as what is kept of events: FOR VALUES FROM (MINVALUE) TO ('01a21f73-9c00-0000-0000-000000000000').
  for partition_name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = format('public.%I', table_name)::regclass
      and substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([0-9a-f-]{36})''\)$')::uuid <= public.swath_first_id(first_kept)
    order by 1
  loop
    execute format('drop table public.%I', partition_name);
    dropped := dropped + 1;
  end loop;
  if pg_relation_size(format('public.%I', default_partition)::regclass) > 0 then
    execute format('alter table public.%I no force row level security', default_partition);
    execute format('delete from public.%I where %I < %L', default_partition, key_column, public.swath_first_id(first_kept));
    execute format('alter table public.%I force row level security', default_partition);
  end if;
  return dropped;
end
$function$;
revoke execute on function swath_drop_partitions(text,date) from public;

CREATE OR REPLACE FUNCTION public.swath_first_id(day date)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (lpad(to_hex((extract(epoch from day::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$function$;

CREATE OR REPLACE FUNCTION public.swath_first_kept_day(kept_days integer)
 RETURNS date
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if kept_days is null or kept_days < 1 then
    raise exception 'a day that is not over cannot be dropped';
  end if;
  return (statement_timestamp() at time zone 'UTC')::date - kept_days;
end
$function$;

CREATE OR REPLACE FUNCTION public.swath_force_policies(table_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
begin
  execute format('alter table public.%I enable row level security', table_name);
  execute format('alter table public.%I force row level security', table_name);
  -- "true" is folded away by the planner, so this policy costs no index; an expression that is not would.
  execute format('create policy across on public.%I to swath_across using (true)', table_name);
end
$function$;
revoke execute on function swath_force_policies(text) from public;

CREATE OR REPLACE FUNCTION public.swath_grant_to(role_name text, table_name text, privileges text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
declare
  privilege text;
begin
  execute format('revoke all on table public.%I from public, %I', table_name, role_name);
  foreach privilege in array string_to_array(replace(lower(privileges), ' ', ''), ',') loop
    if privilege not in ('select', 'insert', 'update', 'delete') then
      raise exception '% cannot be given "%"', role_name, privilege;
    end if;
    execute format('grant %s on table public.%I to %I', privilege, table_name, role_name);
  end loop;
end
$function$;
revoke execute on function swath_grant_to(text,text,text) from public;

CREATE OR REPLACE FUNCTION public.swath_has_days(table_name text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (
    select 1 from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = table_name and c.relkind = 'p')
$function$;

CREATE OR REPLACE FUNCTION public.swath_is_sandbox(organization uuid)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (substr((organization)::text, 15, 1) = '8'::text);

CREATE OR REPLACE FUNCTION public.swath_join_days(table_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET row_security TO 'off'
AS $function$
declare
  key_column constant text := public.swath_day_key(table_name);
  log regclass;
  definitions text[];
  grants text[];
  statement text;
begin
  -- First: another call that is joining it replaces the table.
  execute format('lock table public.%I in access exclusive mode', table_name);
  if not public.swath_has_days(table_name) then
    return;
  end if;
  log := format('public.%I', table_name)::regclass;
  definitions := array(
      select format('alter table public.%I add constraint %I %s', table_name, k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k where k.conrelid = log and k.contype = 'p')
    || array(
      select replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ')
      from pg_index x where x.indrelid = log and not x.indisprimary);
  grants := array(
      select format('grant %s on public.%I to %I', a.privilege_type, table_name, r.rolname)
      from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
      where c.oid = log and a.grantee <> c.relowner)
    || array(
      select format('grant %s (%I) on public.%I to %I', a.privilege_type, c.attname, table_name, r.rolname)
      from pg_attribute c, aclexplode(c.attacl) a join pg_roles r on r.oid = a.grantee
      where c.attrelid = log);

  execute format('create table public.%I (like public.%I including all excluding indexes)', table_name || '_joined', table_name);
  perform public.swath_owner_sees(true, table_name);
  execute format('insert into public.%I select * from public.%I', table_name || '_joined', table_name);
  execute format('drop table public.%I', table_name);
  execute format('alter table public.%I rename to %I', table_name || '_joined', table_name);
  foreach statement in array definitions loop
    execute statement;
  end loop;
  execute format('create index %I on public.%I (%I)', table_name || '_age', table_name, key_column);
  perform public.swath_tenant_table(table_name, 'select');
  foreach statement in array grants loop
    execute statement;
  end loop;
  -- The sweep deletes what is old, of all organizations.
  execute format('grant delete on public.%I to swath_across', table_name);
end
$function$;
revoke execute on function swath_join_days(text) from public;

CREATE OR REPLACE FUNCTION public.swath_keep_of_events(first_kept uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not pg_has_role(current_user, 'swath_across', 'usage') then
    raise exception '% does not see the events of all organizations: set role swath_across', current_user;
  end if;
  -- Days are dropped oldest first, so what is there already is older.
  insert into public.first_events (organization_id, entity_type, entity_id, actor_kind, actor_id, created_at)
  select distinct on (organization_id, entity_type, entity_id)
    organization_id, entity_type, entity_id, actor_kind, actor_id, created_at
  from public.events where id < first_kept
  order by organization_id, entity_type, entity_id, id
  on conflict (organization_id, entity_type, entity_id) do nothing;

  insert into public.event_counts as counted (organization_id, day, kind, count)
  select organization_id, (created_at at time zone 'UTC')::date, kind, count(*)
  from public.events where id < first_kept
  group by 1, 2, 3
  on conflict (organization_id, day, kind) do update set count = counted.count + excluded.count;

  perform set_config('swath.events_kept', format('%s %s', pg_current_xact_id(), first_kept), true);
end
$function$;
revoke execute on function swath_keep_of_events(uuid) from public;

CREATE OR REPLACE FUNCTION public.swath_logs_by_day()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array['event_delivery_attempts', 'event_delivery_log', 'events']
$function$;

CREATE OR REPLACE FUNCTION public.swath_mark_leakproof()
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
declare
  predicate regprocedure;
begin
  for predicate in
    select p.oid::regprocedure
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and p.proname in (
        'geometry_overlaps', 'geometry_contains', 'geometry_within', 'geometry_same', 'st_intersects', 'st_contains',
        'st_containsproperly', 'st_within', 'st_covers', 'st_coveredby', 'st_disjoint', 'st_dwithin', 'st_overlaps', 'st_touches',
        'st_crosses', 'st_equals')
      and p.proargtypes[0] = 'public.geometry'::regtype
      and p.proargtypes[1] = 'public.geometry'::regtype
      and not p.proleakproof
  loop
    execute format('alter function %s leakproof', predicate);
  end loop;
  return true;
exception when insufficient_privilege then
  return false;
end
$function$;
revoke execute on function swath_mark_leakproof() from public;

CREATE OR REPLACE FUNCTION public.swath_next_hour(id uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (lpad(to_hex((('x0000' || left(replace(id::text, '-', ''), 12))::bit(64)::bigint / 3600000 + 1) * 3600000), 12, '0') || repeat('0', 20))::uuid
$function$;

CREATE OR REPLACE FUNCTION public.swath_owner_sees(sees boolean, VARIADIC table_names text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
declare
  table_name text;
begin
  foreach table_name in array table_names loop
    execute format('alter table public.%I %s row level security', table_name, case when sees then 'no force' else 'force' end);
  end loop;
end
$function$;
revoke execute on function swath_owner_sees(boolean,text[]) from public;

CREATE OR REPLACE FUNCTION public.swath_partition_items(partitions integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET row_security TO 'off'
AS $function$
declare
  items constant oid := 'public.items'::regclass;
  related text[];
  definitions text[];
  column_list text;
  statement text;
  part text;
  entry record;
  copied bigint;
begin
  if partitions < 0 or partitions = 1 or partitions > 64 then
    raise exception 'items have 2 to 64 partitions, or 0 for one table';
  end if;
  if partitions = (select count(*) from pg_inherits i where i.inhparent = items) then
    return;
  end if;
  if to_regclass('pg_dist_partition') is not null and partitions > 0 then
    raise exception 'Citus distributes items by the hash of their organization: they stay one table for it';
  end if;
  lock table public.items in access exclusive mode;

  -- Foreign keys of both directions are checked again, so their tables are read whole.
  related := array(
    select distinct c.relname::text
    from pg_constraint k join pg_class c on c.oid in (k.conrelid, k.confrelid)
    where k.contype = 'f' and k.conparentid = 0 and items in (k.conrelid, k.confrelid));
  perform public.swath_owner_sees(true, variadic related);
  definitions := array(
      select format('alter table public.%I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.conrelid = items and k.contype = 'p')
    || array(
      select replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ')
      from pg_index x where x.indrelid = items and not x.indisprimary)
    || array(
      select format('alter table public.%I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and k.conparentid = 0 and items in (k.conrelid, k.confrelid));
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into column_list
  from pg_attribute a where a.attrelid = items and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';

  execute 'create table public.items_new (like public.items including all excluding indexes)'
    || case when partitions = 0 then '' else ' partition by hash (organization_id)' end;
  for number in 0 .. partitions - 1 loop
    execute format(
      'create table public.items_new_%1$s partition of public.items_new for values with (modulus %2$s, remainder %1$s)',
      number, partitions);
  end loop;
  execute format('insert into public.items_new (%1$s) select %1$s from public.items', column_list);
  get diagnostics copied = row_count;

  for entry in
    select c.relname as table_name, k.conname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.conparentid = 0 and k.confrelid = items
  loop
    execute format('alter table public.%I drop constraint %I', entry.table_name, entry.name);
  end loop;
  drop table public.items;
  alter table public.items_new rename to items;
  for number in 0 .. partitions - 1 loop
    execute format('alter table public.items_new_%1$s rename to items_%1$s', number);
  end loop;

  foreach statement in array definitions loop
    execute statement;
  end loop;
  -- The index items_found of items is items_found_3 of items_3.
  for entry in
    select c.relname as name, parent.relname || substring(t.relname from '_[0-9]+$') as new_name
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    join pg_class parent on parent.oid = i.inhparent
    join pg_index x on x.indexrelid = c.oid
    join pg_class t on t.oid = x.indrelid
    join pg_inherits p on p.inhrelid = t.oid and p.inhparent = 'public.items'::regclass
  loop
    execute format('alter index public.%I rename to %I', entry.name, entry.new_name);
  end loop;

  -- Statements are planned for an organization with many items: the plan for them also fits few.
  foreach part in array
    array(select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'public.items'::regclass)
    || case when partitions = 0 then array['items'] else array[]::text[] end
  loop
    execute format('alter table public.%I alter column organization_id set (n_distinct = 4)', part);
    if partitions > 0 then
      perform public.swath_close_partition(part);
    end if;
  end loop;
  perform public.swath_tenant_table('items');
  perform public.swath_owner_sees(false, variadic related);
  if copied > 0 then
    analyze public.items;
  end if;
end
$function$;
revoke execute on function swath_partition_items(integer) from public;

CREATE OR REPLACE FUNCTION public.swath_shared_table(table_name text, privileges text DEFAULT 'select'::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
begin
  execute format('comment on table public.%I is %L', table_name, 'shared');
  perform public.swath_grant_to('swath_app', table_name, privileges);
  perform public.swath_grant_to('swath_across', table_name, 'select, insert, update, delete');
end
$function$;
revoke execute on function swath_shared_table(text,text) from public;

CREATE OR REPLACE FUNCTION public.swath_tenant_table(table_name text, privileges text DEFAULT 'select, insert, update, delete'::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
begin
  if not exists (
    select 1
    from pg_attribute a
    where a.attrelid = format('public.%I', table_name)::regclass
      and a.attname = 'organization_id' and a.atttypid = 'uuid'::regtype and a.attnotnull)
  then
    raise exception 'table % needs a column "organization_id uuid not null"', table_name;
  end if;
  execute format('comment on table public.%I is %L', table_name, 'tenant');
  execute format(
    'create policy tenant on public.%I to swath_app using (organization_id = current_setting(%L)::uuid)',
    table_name, 'app.organization_id');
  perform public.swath_force_policies(table_name);
  perform public.swath_grant_to('swath_app', table_name, privileges);
  perform public.swath_grant_to('swath_across', table_name, privileges);
end
$function$;
revoke execute on function swath_tenant_table(text,text) from public;

CREATE OR REPLACE FUNCTION public.take_rate_limit_units(wanted_bucket text, max_units integer, slot_ms integer, needed integer, spare integer, returned integer, returned_slot bigint, at_time timestamp with time zone, OUT granted integer, OUT used integer, OUT current_slot bigint, OUT slot_ends_ms integer, OUT frees_ms integer)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
declare
  kept rate_limit_counts;
  now_ms bigint;
  passed bigint;
  free integer;
  oldest integer;
begin
  loop
    select * into kept from rate_limit_counts c where c.bucket = wanted_bucket for update;
    exit when found;
    insert into rate_limit_counts (bucket, slot, counts, expires_at)
    values (wanted_bucket, 0, array_fill(0, array[21]), to_timestamp(0))
    on conflict (bucket) do nothing;
  end loop;
  -- Read with the row locked: whoever counts later also counts in a later slot.
  now_ms := floor(extract(epoch from coalesce(at_time, clock_timestamp())) * 1000);
  current_slot := greatest(now_ms / slot_ms, kept.slot);
  passed := least(current_slot - kept.slot, 21);
  if passed > 0 then
    kept.counts := array_fill(0, array[passed::integer]) || kept.counts[1:21 - passed::integer];
  end if;
  if returned > 0 and current_slot - returned_slot between 0 and 20 then
    oldest := current_slot - returned_slot + 1;
    kept.counts[oldest] := greatest(kept.counts[oldest] - returned, 0);
  end if;
  select coalesce(sum(units), 0) into used from unnest(kept.counts) as units;
  free := greatest(coalesce(max_units, needed + used) - used, 0);
  granted := least(needed, free);
  granted := granted + least(spare, (free - granted) / 8);
  used := used + granted;
  kept.counts[1] := kept.counts[1] + granted;
  select coalesce(max(place), 1) into oldest from unnest(kept.counts) with ordinality as slots (units, place) where units > 0;
  slot_ends_ms := (current_slot + 1) * slot_ms - now_ms;
  frees_ms := (current_slot + 22 - oldest) * slot_ms - now_ms;
  update rate_limit_counts c
  set slot = current_slot, counts = kept.counts, expires_at = to_timestamp((current_slot + 21) * slot_ms / 1000.0)
  where c.bucket = wanted_bucket;
end
$function$;
revoke execute on function take_rate_limit_units(text,integer,integer,integer,integer,integer,bigint,timestamp with time zone) from public;
