/** The fixed limits, as `docs/platform/limits.md` prints them with their meaning. */
export const limits = {
  access_token_seconds: 300,
  refresh_token_seconds: 1800,
  authorization_code_seconds: 60,
  /** Device login: the lifetime of its codes, and the interval between two polls of a program. */
  device_code_seconds: 600,
  device_poll_seconds: 5,
  max_session_days: 30,
  /** Personal access tokens: the longest lifetime, and how many of one user may be active in an organization. */
  max_personal_token_days: 365,
  max_personal_tokens: 50,
  /** OAuth clients of one organization, and the redirect URIs of each. */
  max_oauth_clients: 100,
  max_redirect_uris: 20,
  max_redirect_uri_length: 1000,
  /** Clients that registered themselves: how many there may be, and after how many days without use they are deleted. */
  max_registered_clients: 10_000,
  registered_client_days: 90,
  min_password_length: 8,
  /** Links to choose a new password, and to confirm or undo another e-mail address, are valid for this time. */
  password_reset_seconds: 3600,
  email_confirmation_seconds: 86_400,
  email_undo_days: 7,
  /** A sign-in is as good as the password for changes of the account for this time. */
  fresh_sign_in_seconds: 600,
  /** A second factor that is being set up, and a challenge for a passkey. */
  totp_setup_seconds: 900,
  passkey_challenge_seconds: 300,
  recovery_codes: 10,
  max_passkeys: 20,
  /** Audit rows in the export of an account, the newest first. */
  max_exported_audit_rows: 10_000,
  /** Organizations that one user may be in: each new one has the credits of the free plan. */
  max_user_organizations: 50,
  /** After this time the link in an invitation is not valid any more. */
  invitation_days: 7,
  max_pending_invitations: 200,
  /** E-mails of invitations that an organization sends in 24 hours, and the time between two for one invitation. */
  max_daily_invitations: 200,
  /** Of them, those to one address. */
  max_daily_invitations_to_address: 10,
  invitation_resend_seconds: 60,
  /** Projects that one call gives a member, or somebody who is invited. */
  max_member_projects: 200,
  /** Domains of an organization, and groups of its provider that give a role or projects. */
  max_organization_domains: 100,
  max_provider_mappings: 200,
  max_scim_tokens: 20,
  /** A domain whose record has been missing for this time is lost. */
  domain_grace_days: 3,
  /** The time in which somebody signs in at the provider of the organization. */
  provider_sign_in_seconds: 600,
  /** Resources in a page of SCIM, and resources of an organization of each kind. */
  max_scim_page: 200,
  max_scim_resources: 20_000,
  /** Operations of one PATCH of SCIM, and characters of a filter. */
  max_scim_operations: 100,
  max_scim_filter_length: 2000,
  signed_url_seconds: 900,
  idempotency_key_hours: 24,
  quote_seconds: 900,
  webhook_timeout_seconds: 10,
  max_event_subscriptions: 200,
  /** For calls that require no scope: they contain a few ids and short texts. */
  max_public_body_bytes: 16 * 1024,
  /** For other calls without items, features or areas. Validation takes some 20 ms, which block the process. */
  max_body_bytes: 1024 * 1024,
  /** For lists of areas, of which all together may have some 60,000 positions. Parsing takes some 25 ms. */
  max_area_list_body_bytes: 2 * 1024 * 1024,
  /** Events of days that ended longer ago are deleted; the creator of an entity stays on record. */
  event_days: 90,
  /** Finished deliveries and their attempts are deleted after this time. */
  delivery_log_days: 90,
  /** Notifications, and e-mails that were sent or abandoned, are deleted after this time. */
  notification_days: 90,
  /** Open event streams of one organization that a process serves. */
  max_event_streams: 50,
  /** Deliveries that one call replays. */
  max_replayed_deliveries: 10_000,
  spend_window_days: 30,
  /** The sum for credits per day on the cards of an organization, unless an owner sets another one. */
  default_daily_topup_aud: 10_000,
  credits_per_aud: 100,
  invoice_due_days: 30,
  stac_search_limit: { minimum: 1, maximum: 10_000, default: 10 },
  max_stac_search_vertices: 999,
  /** Time per search for conditions on texts of items with more than 16 KiB of metadata. */
  max_long_texts_seconds: 1,
  catalog_search_limit: { minimum: 1, maximum: 500, default: 100 },
  projects_rest_limit: { minimum: 1, maximum: 200, default: 50 },
  /** Items that one call may create or delete. */
  max_batch_items: 1000,
  items_rest_limit: { minimum: 1, maximum: 1000, default: 100 },
  offset_limit: { minimum: 1, maximum: 1000, default: 100 },
  /** For lists that people read page by page, such as notifications. */
  short_offset_limit: { minimum: 1, maximum: 1000, default: 50 },
  page_size: { minimum: 1, maximum: 1000, default: 20 },
  jobs_limit: { minimum: 1, maximum: 1000, default: 20 },
  /** Captures of one estimate or order, and positions of their areas: of each, and of all together. */
  max_captures: 1000,
  /** Areas of one tasking order; days within which a study or quotation is decided if the provider names no time. */
  max_tasking_groups: 100,
  tasking_decision_days: 7,
  max_tasking_templates: 200,
  max_capture_vertices: 999,
  /** Features of one call, each of which becomes an order. */
  max_order_features: 100,
  max_total_capture_vertices: 20_000,
  /** Larger offsets and pages are rejected: an offset makes the database count every row before it. */
  max_offset: 10_000_000,
  max_saved_searches: 100,
  /** New scenes of one source that a run announces; more are announced by the next one. */
  max_new_scenes_per_run: 100,
  max_standing_orders: 50,
  max_alert_rules: 200,
  /** Generated reports are deleted after this time. */
  report_days: 90,
  max_report_schedules: 50,
  /** Items that one back-test evaluates. */
  backtest_limit: { minimum: 1, maximum: 100, default: 30 },
  max_lineage_edges: 10_000,
  max_lineage_depth: 50,
  max_name_length: 255,
  max_text_length: 10_000,
  /** An upload session without activity expires after this time. */
  upload_session_hours: 24,
  /** Maximum reservation of an upload session that does not state `total_bytes`. */
  default_upload_reservation_bytes: 1_000_000_000,
  upload_url_seconds: 3600,
  /** One year, also if it is a leap year. */
  max_share_link_days: 366,
  /** Maximum advance of the clock of a sandbox per call. */
  max_advance_days: 400,
  /** Zoom levels of the tile grid. */
  max_zoom: 30,
  /** Validity of the token in the URL of a file; it ends at a full hour, so that equal requests have equal responses. */
  asset_token_seconds: 43_200,
  tile_token_seconds: { minimum: 60, maximum: 31_622_400, default: 604_800 },
} as const

/** Calendar years of the clock of a sandbox, in UTC: months and retention can be computed from each of them. */
export const sandbox_clock_years = { first: 1970, last: 2200 } as const
