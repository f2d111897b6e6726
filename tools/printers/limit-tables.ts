import { limits } from '../../packages/contract/src/limits.ts'
import { settings } from '../../packages/server/src/platform/settings.ts'
import type { SettingDefinition } from '../../packages/server/src/platform/setting-types.ts'
import { code, printTable } from './generated-blocks.ts'

/** The meaning of each limit. A new limit does not compile without its row. */
const meanings: Readonly<Record<keyof typeof limits, string>> = {
  access_token_seconds: 'Lifetime of an access token',
  refresh_token_seconds: 'Lifetime of a refresh token, and time without use after which a browser is signed out',
  authorization_code_seconds: 'Lifetime of an authorization code',
  device_code_seconds: 'Lifetime of the codes of a device login',
  device_poll_seconds: 'Time between two polls of a device login',
  max_session_days: 'Time after which a user signs in again, however often tokens were refreshed',
  max_personal_token_days: 'Lifetime of a personal access token',
  max_personal_tokens: 'Active personal access tokens of one user for an organization',
  max_oauth_clients: 'OAuth clients of one organization',
  max_redirect_uris: 'Redirect URIs of one OAuth client',
  max_redirect_uri_length: 'Characters of a redirect URI',
  max_registered_clients: 'Clients that registered themselves',
  registered_client_days: 'Time without use after which such a client is deleted',
  min_password_length: 'Characters that a password has at least',
  password_reset_seconds: 'Time for which a link to choose another password is valid',
  email_confirmation_seconds: 'Time for which a link to confirm an e-mail address is valid',
  email_undo_days: 'Days for which a change of the e-mail address can be refused from the old one',
  fresh_sign_in_seconds: 'Time after a sign-in for which changes of the account need no password',
  totp_setup_seconds: 'Time to set up an authenticator app',
  passkey_challenge_seconds: 'Time to use or to register a passkey',
  recovery_codes: 'Recovery codes of a user with a second factor',
  max_passkeys: 'Passkeys of a user',
  max_exported_audit_rows: 'Rows of the audit trail in the export of an account',
  max_user_organizations: 'Organizations that one user may be in',
  invitation_days: 'Days after which the link in an invitation is not valid any more',
  max_pending_invitations: 'Pending invitations of an organization',
  max_daily_invitations: 'E-mails of invitations that an organization, or a person, sends in 24 hours',
  max_daily_invitations_to_address: 'Of them, those of an organization to one address',
  invitation_resend_seconds: 'Time between two e-mails of one invitation',
  max_member_projects: 'Projects that one call gives a member, or somebody who is invited',
  max_organization_domains: 'Domains of an organization',
  max_provider_mappings: 'Groups of a provider that give a role or projects',
  max_scim_tokens: 'SCIM tokens of an organization that are not revoked',
  domain_grace_days: 'Days after which a domain whose record is missing is lost',
  provider_sign_in_seconds: 'Time in which a user signs in at the provider of an organization',
  max_scim_page: 'Resources in a page of SCIM',
  max_scim_resources: 'People, and groups, that a directory provisions in an organization',
  max_scim_operations: 'Operations of one PATCH of SCIM',
  max_scim_filter_length: 'Characters of a filter of SCIM',
  signed_url_seconds: 'Lifetime of a signed download URL',
  idempotency_key_hours: 'Time for which an idempotency key returns its stored response',
  quote_seconds: 'Time for which the price of a quote is locked',
  webhook_timeout_seconds: 'Time within which a webhook receiver has to respond',
  default_daily_topup_aud:
    'AUD that the cards of an organization are charged for credits in a day, unless an owner sets another sum',
  spend_window_days: 'Rolling window of the spend limit of a member',
  credits_per_aud: 'Credits in one Australian dollar',
  invoice_due_days: 'Time to pay an invoice',
  stac_search_limit: '`limit` of `stac.search`',
  max_stac_search_vertices: 'Vertices of the polygon in `intersects` of `stac.search`',
  max_long_texts_seconds:
    'Time of a search for conditions on texts of items with more than 16 KiB of metadata; then it is `budget-exceeded`',
  catalog_search_limit: '`limit` of catalogue searches and of lists with a token',
  projects_rest_limit: '`limit` of `GET /api/v1/projects`',
  max_public_body_bytes: 'Bytes of the body of a call that requires no scope',
  max_area_list_body_bytes: 'Bytes of the body of a call that takes a list of areas',
  max_body_bytes:
    'Bytes of the body of other calls, but those that take items, features or areas, which only `BODY_LIMIT_BYTES` limits',
  max_batch_items: 'Items that one call may create or delete',
  items_rest_limit: '`limit` of the item lists below `/api/v1`',
  offset_limit: '`limit` of lists with an offset',
  short_offset_limit: '`limit` of lists that people read page by page, such as notifications',
  page_size: '`size` of lists with a page number',
  jobs_limit: '`limit` of the list of processing jobs',
  max_captures: 'Captures of one estimate or order',
  max_tasking_groups: 'areas of one tasking order',
  tasking_decision_days: 'days in which a study or quotation is decided, if the provider names no time',
  max_tasking_templates: 'tasking templates of an organization',
  max_capture_vertices: 'Positions in the area of one capture',
  max_order_features: 'Features of one call of `orders.place` or `orders.estimate`',
  max_total_capture_vertices: 'Positions in the areas of all captures of a call',
  max_offset: 'Largest `offset` or `page`',
  max_event_subscriptions: 'Event subscriptions of an organization',
  event_days: 'Events are kept',
  delivery_log_days: 'Finished deliveries are kept in the log',
  notification_days: 'Notifications and the record of e-mails are kept',
  max_event_streams: 'Open event streams of an organization in one process',
  max_replayed_deliveries: 'Deliveries that one call replays',
  max_saved_searches: 'Saved searches of an organization',
  max_new_scenes_per_run: 'New scenes of a source that one run of a saved search announces',
  max_standing_orders: 'Standing orders of an organization',
  max_alert_rules: 'Alert rules of an organization',
  report_days: 'Generated reports are kept',
  max_report_schedules: 'Schedules of reports of a user',
  backtest_limit: 'Past items that one call of `alerts.backtest_rule` evaluates',
  max_lineage_edges: 'Edges in a lineage graph that is returned',
  max_lineage_depth: 'Generations in a lineage graph that is returned',
  max_name_length: 'Characters of a name',
  max_advance_days: 'Days by which one call moves the clock of a sandbox',
  max_text_length: 'Characters of a description',
  upload_session_hours: 'Time without activity after which an upload session expires',
  default_upload_reservation_bytes: 'Storage that an upload session reserves if it does not state `total_bytes`',
  upload_url_seconds: 'Lifetime of a signed upload URL',
  max_share_link_days: 'Lifetime of a share link',
  max_zoom: 'Zoom levels of the tile grid',
  asset_token_seconds: 'Minimum lifetime of the token in the URL of a file',
  tile_token_seconds: 'Lifetime of a tile token',
}

const units = ['seconds', 'hours', 'days', 'bytes', 'characters']

const number = (value: number): string => String(value).replaceAll(/(?<=\d)(?=(\d{3})+$)/g, ' ')

/** The value with the unit that ends the name of the limit. */
function valueText(name: string, value: (typeof limits)[keyof typeof limits]): string {
  const unit = units.find((word) => name.endsWith(`_${word}`))
  const text =
    typeof value === 'number'
      ? `${name.startsWith('max_') ? 'at most ' : ''}${number(value)}`
      : `${number(value.minimum)} to ${number(value.maximum)}, default ${number(value.default)}`
  return unit === undefined ? text : `${text} ${unit}`
}

/** The limits of the contract: the same in every installation. */
export const printContractLimits = (): string =>
  printTable(
    ['Limit', 'Value', 'Name in `limits.ts`'],
    Object.entries(meanings).map(([name, meaning]) => [
      meaning,
      valueText(name, limits[name as keyof typeof limits]),
      code(name),
    ]),
  )

/** The limits that an operator sets for an installation. */
export function printConfiguredLimits(): string {
  const rows: readonly SettingDefinition<unknown>[] = Object.values(settings)
  return printTable(
    ['Limit', 'Default', 'Setting'],
    rows
      .filter((setting) => setting.group === 'Limits')
      .map((setting) => [setting.description, setting.fallback, code(setting.name)]),
  )
}
