import type { Operation } from '@swath/contract/operation.ts'

/** The rule that finds the entity that an operation changes. */
export interface AuditTargetRule {
  /** The entity type, as events name it. */
  readonly type: string
  /** Field of the input that has its id; null if only the output has it. */
  readonly input: string | null
  /** Dotted path to its id in the output; null if the input always has it. */
  readonly output: string | null
}

const rule = (type: string, input: string | null, output: string | null = null): AuditTargetRule => ({
  type,
  input,
  output,
})

const job = rule('processing_job', 'job_id', 'job.id')
const asset = rule('asset', 'asset_id')
const organization = rule('organization', 'organization_id')
const member = rule('user', 'user_id')

/**
 * The target of each write operation, by its id or by the beginning of its id that ends with a dot; the longest match
 * counts. Null: the call changes many entities, or none.
 */
export const auditTargetRules: Readonly<Record<string, AuditTargetRule | null>> = {
  'admin.credit_adjustments.': rule('credit_adjustment', 'adjustment_id', 'id'),
  'admin.dead_letters.': rule('dead_letter', 'dead_letter_id'),
  'admin.data_products.': rule('product_version', 'version_id', 'id'),
  'admin.feature_flags.': rule('feature_flag', 'flag'),
  'admin.role_changes.': rule('role_change', 'role_change_id'),
  'admin.rate_cards.': rule('rate_card', 'rate_card_id', 'id'),
  'admin.stuck_work.': rule('stuck_work', 'work_id'),
  'admin.support_access.': rule('support_access', 'access_id', 'id'),
  'admin.users.': rule('user', 'user_id'),
  'admin.commitments.': rule('commitment', 'commitment_id', 'commitment.id'),
  'admin.invoices.': rule('invoice', 'invoice_id'),
  'admin.orgs.': organization,
  'admin.tasking.': rule('order', 'order_id'),
  'alerts.': rule('alert_rule', 'rule_id', 'alert_rule.id'),
  'alerts.acknowledge_event': rule('alert_event', 'event_id'),
  'analytics.': null,
  'api_keys.': rule('api_key', 'key_id', 'id'),
  'assets.': rule('asset', 'asset_id', 'id'),
  'band_formulas.': rule('band_formula', 'formula_id', 'id'),
  'billing.approvals.': rule('approval', 'approval_id', 'id'),
  'billing.cleanup_deleted_orgs': null,
  'billing.dlq.': null,
  'billing.enterprise.': organization,
  'billing.free_tier.': organization,
  'billing.free_tier.grant_all': null,
  'billing.jobs.': organization,
  'billing.ledger.export': null,
  'billing.reconciliation.': organization,
  'billing.reconciliation.run_all': null,
  'billing.refunds.': rule('refund', null, 'id'),
  'billing.run_monthly_cron': null,
  'billing.run_monthly_for_org': organization,
  'billing.set_auto_topup': null,
  'billing.set_daily_topup_limit': null,
  'billing.topup': rule('topup', null, 'id'),
  'catalog.aoi_score': null,
  'catalog.search.': rule('saved_search', 'search_id', 'id'),
  'clip.': job,
  'clip.create_from_area': rule('processing_job', null, 'job.id'),
  'clip.create_from_item': rule('processing_job', null, 'job.id'),
  'collections.': rule('collection', 'collection_id', 'id'),
  'eulas.': rule('eula', 'eula_id'),
  'event_subscriptions.create_many': null,
  'event_subscriptions.': rule('event_subscription', 'subscription_id', 'id'),
  'event_subscriptions.deliveries.redeliver': rule('delivery', 'delivery_id'),
  'items.': rule('item', 'item_id', 'id'),
  'items.asset.': asset,
  'items.batch_create': null,
  'items.batch_delete': null,
  'items.detect_asset_bands': asset,
  'items.duplicate': rule('item', null, 'id'),
  'items.expire_batch': null,
  'items.set_asset_band_names': asset,
  'items.tile.token.': rule('tile_token', 'token_id', 'id'),
  'notifications.': rule('notification', 'notification_id'),
  'notifications.mark_all_read': null,
  'notifications.preferences.set': null,
  'oauth_clients.': rule('oauth_client', 'client_id', 'client.client_id'),
  'orders.': rule('order', 'order_id'),
  'orders.archive.place': rule('order', null, 'id'),
  'orders.place': rule('order', null, 'orders.0.id'),
  'orders.quote': rule('quote', null, 'quote_id'),
  'orders.reorder': rule('order', null, 'id'),
  'orders.standing.': rule('standing_order', 'standing_order_id', 'id'),
  'orders.tasking.feasibility_decide': rule('feasibility_study', 'study_id'),
  'orders.tasking.place': rule('order', null, 'id'),
  'orders.tasking.quotation_decide': rule('quotation', 'quotation_id'),
  'orders.tasking.templates.': rule('tasking_template', 'template_id', 'id'),
  'organizations.audit.': null,
  'organizations.delete': rule('organization', 'organization_id', 'organization_id'),
  'organizations.restore': rule('organization', 'organization_id', 'organization_id'),
  'organizations.create': rule('organization', null, 'id'),
  'organizations.domains.': rule('domain', 'domain', 'domain.domain'),
  'organizations.provider.': rule('identity_provider', null, 'provider.id'),
  'organizations.provider.remove': rule('identity_provider', null, 'provider_id'),
  'organizations.scim_tokens.': rule('scim_token', 'scim_token_id', 'scim_token.id'),
  'organizations.invitations.': rule('invitation', 'invitation_id', 'invitation.id'),
  // The organization that invited has a row that names the invitation; this one is in the trail of another organization.
  'organizations.invitations.accept': null,
  'organizations.leave': rule('organization', 'organization_id', 'organization_id'),
  'organizations.members.': member,
  'organizations.members.add': rule('user', null, 'member.user_id'),
  'organizations.delegations.take_over': rule('delegation', 'delegation_id'),
  'organizations.tokens.': rule('personal_token', 'token_id'),
  'organizations.support_access.': rule('support_access', 'access_id', 'id'),
  'organizations.security.': null,
  'organizations.update': rule('organization', 'organization_id', 'organization.id'),
  'organizations.members.set_spend_limit': rule('user', 'userId'),
  'organizations.transfer_ownership': member,
  'payment_methods.': rule('payment_method', 'payment_method_row_id', 'id'),
  'payment_methods.create_setup_intent': rule('setup_intent', null, 'setup_intent_id'),
  'processing.': job,
  'projects.': rule('project', 'project_id', 'id'),
  'projects.add_member': member,
  'projects.remove_member': member,
  'projects.update_member': member,
  'provenance.': rule('entity', 'entity_id'),
  'reports.': rule('report', 'report_id', 'id'),
  'reports.schedules.': rule('report_schedule', 'schedule_id', 'id'),
  'sandbox.': null,
  'share.asset.download': asset,
  'share.link.': rule('share_link', 'link_id', 'id'),
  'share.session.': null,
  'items.bundles.': rule('item', 'bundle_id', 'id'),
  'stac.collections.': rule('collection', 'collection_id'),
  'stac.items.': rule('stac_item', 'stac_id', 'id'),
  'uploads.': rule('upload', 'upload_id', 'id'),
  'usage.': organization,
  'users.consents.': rule('oauth_client', 'client_id'),
  'users.tokens.': rule('personal_token', 'token_id', 'id'),
  // What its caller changes of the own account: the principal of the row.
  'users.': null,
  'users.delete': rule('user', null, 'user_id'),
  'users.passkeys.': rule('passkey', 'passkey_id', 'passkey.id'),
  'users.passkeys.register_begin': null,
  'users.sessions.end': rule('session', 'session_id'),
  'users.update': rule('user', null, 'user.id'),
  'visualization.profile.': rule('visualization_profile', 'profile_id', 'id'),
  'webhooks.': null,
}

/** The rule of an operation; undefined if the table has none. */
export function findAuditTargetRule(id: string): AuditTargetRule | null | undefined {
  if (Object.hasOwn(auditTargetRules, id)) return auditTargetRules[id]
  for (let end = id.lastIndexOf('.'); end > 0; end = id.lastIndexOf('.', end - 1)) {
    const prefix = id.slice(0, end + 1)
    if (Object.hasOwn(auditTargetRules, prefix)) return auditTargetRules[prefix]
  }
  return undefined
}

/** The longest id that is stored; ids of STAC items are chosen by callers. */
const max_id_length = 300

/** The text at a dotted path of a value; null if there is none. */
function textAt(value: unknown, path: string): string | null {
  let current = value
  for (const name of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return null
    current = (current as Readonly<Record<string, unknown>>)[name]
  }
  return typeof current === 'string' && current !== '' ? current.slice(0, max_id_length) : null
}

/** The id that the input names; null if it names none. */
export const findAuditTargetInInput = (rule: AuditTargetRule, input: unknown): string | null =>
  rule.input === null ? null : textAt(input, rule.input)

/** The id that the output names; null if it names none. */
export const findAuditTargetInOutput = (rule: AuditTargetRule, output: unknown): string | null =>
  rule.output === null ? null : textAt(output, rule.output)

/** True for the operations of administrators, which name the organization that they act in. */
export const isOperatorOperation = ({ scope }: Pick<Operation, 'scope'>): boolean =>
  scope !== null && scope.startsWith('admin:')
