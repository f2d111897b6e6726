// Generated from the contract by `npm run generate`; do not edit.

/** The `data` of each event type. */
export interface EventData {
  /** An order was accepted and its credits are held. */
  'order.created': { fromStatus: string | null; toStatus: string; creditsCaptured: number; creditsRefunded: number; failureReason: string | null }
  /** The host accepted the order. */
  'order.placed': { fromStatus: string | null; toStatus: string; creditsCaptured: number; creditsRefunded: number; failureReason: string | null }
  /** The first batch of a delivery was stored. */
  'order.being_fulfilled': { fromStatus: string | null; toStatus: string; creditsCaptured: number; creditsRefunded: number; failureReason: string | null; newItemCount: number }
  /** The order was delivered in full and charged. */
  'order.fulfilled': { fromStatus: string | null; toStatus: string; creditsCaptured: number; creditsRefunded: number; failureReason: string | null }
  /** The order failed permanently and its hold was released. */
  'order.failed': { fromStatus: string | null; toStatus: string; creditsCaptured: number; creditsRefunded: number; failureReason: string | null }
  /** The order was cancelled and its hold released. */
  'order.cancelled': { fromStatus: string | null; toStatus: string; creditsCaptured: number; creditsRefunded: number; failureReason: string | null }
  /** A feasibility study was requested. */
  'feasibility.requested': { fromSubStatus: string | null; toSubStatus: string; reasonCode: string | null }
  /** A feasibility study is ready for a decision. */
  'feasibility.answered': { fromSubStatus: string | null; toSubStatus: string; reasonCode: string | null; studyId: string; decideBy: string }
  /** A quotation is ready for a decision. */
  'quotation.requested': { fromSubStatus: string | null; toSubStatus: string; reasonCode: string | null; quotationId: string; creditsPrice: number; decideBy: string }
  /** A price was accepted and is held. */
  'quotation.accepted': { fromSubStatus: string | null; toSubStatus: string; reasonCode: string | null; creditsPrice: number }
  /** A quotation was rejected. */
  'quotation.rejected': { fromSubStatus: string | null; toSubStatus: string; reasonCode: string | null }
  /** The acquisition of a tasking order reached its next stage. */
  'tasking.progressed': { fromSubStatus: string | null; toSubStatus: string; reasonCode: string | null }
  /** A collection did not satisfy the constraints; the next pass is planned. */
  'tasking.replanned': { fromSubStatus: string | null; toSubStatus: string; reasonCode: string | null }
  /** A processing job was created and its credits are held. */
  'job.created': { process_id: string; project_id: string }
  /** A worker started the job. */
  'job.started': { process_id: string; project_id: string }
  /** The hold of the job was settled. */
  'job.captured': { hold_id: string | null; credits: number }
  /** The hold of the job was released. */
  'job.released': { hold_id: string | null }
  /** The job completed. */
  'job.completed': { item_ids: string[] }
  /** The job failed. */
  'job.failed': { process_id: string; project_id: string; reason: string | null }
  /** An item was created or delivered. */
  'item.created': { project_id: string; collection_id: string | null; name: string; type: 'satellite_capture' | 'derived_raster' | 'derived_vector' | 'clip' | 'user_raster' | 'user_vector' | 'external_reference'; order_id?: string }
  /** An item was updated. */
  'item.updated': { project_id: string; collection_id: string | null; name: string; type: 'satellite_capture' | 'derived_raster' | 'derived_vector' | 'clip' | 'user_raster' | 'user_vector' | 'external_reference'; lifecycle_state: 'active' | 'expiring' | 'archived' | 'expired' | 'deleted'; changed?: string[]; restored?: boolean; asset_id?: string; asset_key?: string }
  /** An item was deleted. */
  'item.deleted': { project_id: string; collection_id: string | null; name: string; type: 'satellite_capture' | 'derived_raster' | 'derived_vector' | 'clip' | 'user_raster' | 'user_vector' | 'external_reference'; lifecycle_state: 'active' | 'expiring' | 'archived' | 'expired' | 'deleted' }
  /** An asset was deleted. */
  'asset.deleted': { item_id: string; project_id: string; key: string; freed_bytes: number }
  /** An upload was ingested. */
  'upload.completed': { project_id: string; item_ids: string[]; refused_count: number }
  /** A collection was created. */
  'collection.created': { project_id: string; name: string; order_id?: string; job_id?: string }
  /** A collection was updated. */
  'collection.updated': { project_id: string; name: string; restored?: boolean }
  /** A project was created. */
  'project.created': { name: string }
  /** New scenes of a saved search were found at a source. */
  'saved_search.matched': { name: string; source_id: string; scene_ids: string[] }
  /** A saved search was deleted. */
  'saved_search.deleted': { name: string }
  /** A new scene waits for a decision: the standing order asks, or `reason` says why it could not be ordered. */
  'standing_order.proposed': { source_id: string; scene_id: string; credits: number; reason: string | null }
  /** A standing order has reached its cap and stops until the next month. */
  'standing_order.cap_reached': { max_credits_per_month: number; month_credits: number; until: string }
  /** A standing order cannot order any more and was suspended. */
  'standing_order.suspended': { reason: string }
  /** An analytics method was executed. */
  'analytics.executed': { method: string; item_ids: string[] }
  /** The value of a new item satisfied the comparison of an alert rule. */
  'alert.triggered': { rule_id: string; rule_name: string; item_id: string; project_id: string; collection_id: string | null; expression: string; statistic: 'mean' | 'median' | 'min' | 'max' | 'std' | 'p5' | 'p95' | 'valid_percent'; comparison: 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq' | 'between' | 'outside'; threshold: number; threshold_upper: number | null; value: number; channels: ('in_app' | 'webhook' | 'email')[]; picture_url: string; previous_item_id: string | null; previous_picture_url: string | null }
  /** An alert event was acknowledged. */
  'alert.acknowledged': { rule_id: string; item_id: string | null; acknowledged_by: string }
  /** A scheduled report was generated. */
  'report.delivered': { schedule_id: string; name: string; report_type: string; project_id: string | null; user_id: string; from: string; to: string }
  /** The plan of the organization was changed; its items have the retention of the new plan. */
  'organization.plan_changed': { plan: string; previous_plan: string; reason: 'first_payment' | 'administrator'; note: string | null }
  /** An operator suspended the organization: it can buy nothing, and its share links are closed. */
  'organization.suspended': { reason: string }
  /** An operator ended the suspension of the organization. */
  'organization.resumed': { reason: string }
  /** An owner closes the organization: at this time its imagery, files and credits end. */
  'organization.deletion_scheduled': { delete_at: string; reason: string | null }
  /** An owner keeps the organization that was to be closed. */
  'organization.deletion_cancelled': Record<string, never>
  /** What a user or an API key had made does not act any more: a user was disabled or left, lost a project, or a key was revoked or has expired. */
  'organization.delegations_stopped': { user_id: string | null; api_key_id: string | null; message: string; delegations: { kind: string; id: string; name: string }[] }
  /** A version of a licence agreement was accepted for the organization. */
  'eula.accepted': { documentId: string; title: string; version: string }
  /** The acceptance of a version of a licence agreement was withdrawn. */
  'eula.withdrawn': { documentId: string; title: string; version: string }
  /** Every delivery of a subscription has failed for a day; it will be disabled if that does not change. */
  'event_subscription.failing': { event_type: string; endpoint_url: string; failing_since: string; disables_at: string; last_error?: string }
  /** A subscription was disabled: its endpoint is gone, or every delivery has failed for five days. */
  'event_subscription.disabled': { event_type: string; endpoint_url: string; reason: 'gone' | 'failing' }
  /** A domain was added, which is not verified yet. */
  'organization.domain_added': { domain: string }
  /** The record of a domain was found. */
  'organization.domain_verified': { domain: string }
  /** A domain was removed, or lost because its record has been missing for days. */
  'organization.domain_removed': { domain: string; reason: string | null }
  /** The provider with which members sign in was set or changed. */
  'organization.provider_changed': { issuer: string; mode: 'optional' | 'required'; domains: string[] }
  /** The provider was removed. */
  'organization.provider_removed': { issuer: string; mode: 'optional' | 'required'; domains: string[] }
  /** A token for SCIM was created. */
  'scim_token.created': { name: string }
  /** A token for SCIM was revoked. */
  'scim_token.revoked': { name: string }
  /** Somebody was invited to the organization by e-mail. */
  'invitation.created': { email: string; role: 'owner' | 'admin' | 'billing' | 'member'; projects: ({ project_id: string; role: 'owner' | 'admin' | 'editor' | 'viewer' })[]; expires_at: string }
  /** An invitation was sent again, with a new link and a new expiry. */
  'invitation.resent': { email: string; role: 'owner' | 'admin' | 'billing' | 'member'; expires_at: string }
  /** An invitation was withdrawn. */
  'invitation.revoked': { email: string; role: 'owner' | 'admin' | 'billing' | 'member' }
  /** An invitation was accepted. */
  'invitation.accepted': { email: string; role: 'owner' | 'admin' | 'billing' | 'member'; user_id: string }
  /** A user became a member of the organization: added by an admin, or by an invitation. */
  'member.joined': { user_id: string; email: string; role: 'owner' | 'admin' | 'billing' | 'member'; invitation_id: string | null }
  /** The role of a member was changed. */
  'member.role_changed': { user_id: string; email: string; role: 'owner' | 'admin' | 'billing' | 'member'; previous_role: 'owner' | 'admin' | 'billing' | 'member' }
  /** All project memberships of a member were replaced. */
  'member.projects_changed': { user_id: string; email: string; projects: ({ project_id: string; role: 'owner' | 'admin' | 'editor' | 'viewer' })[] }
  /** A member was removed from the organization. */
  'member.removed': { user_id: string; email: string; role: 'owner' | 'admin' | 'billing' | 'member' }
  /** A member left the organization. */
  'member.left': { user_id: string; email: string; role: 'owner' | 'admin' | 'billing' | 'member' }
  /** An owner made another member the owner, and became an admin. */
  'organization.ownership_transferred': { user_id: string; email: string; former_owner_id: string; former_owner_email: string }
  /** An operator asked for the permission to read in the organization. */
  'support_access.requested': { operator_email: string; reason: string; expires_at: string }
  /** An owner let an operator read in the organization for a time. */
  'support_access.granted': { operator_email: string; reason: string; user_id: string; expires_at: string }
  /** An owner refused the support access that an operator asked for. */
  'support_access.refused': { operator_email: string; reason: string; user_id: string }
  /** A support access was ended before its time, or the request for one was taken back. */
  'support_access.ended': { operator_email: string; reason: string; user_id: string }
  /** A top-up was charged. */
  'topup.succeeded': { kind: string; credits: number; aud: number; payment_intent_id: string | null; receipt_id: string }
  /** Credits were bought and granted. */
  'credits.purchased': { credits: number; lot_id: string | null }
  /** A top-up was declined. */
  'topup.failed': { kind: string; reason: string; credits?: number; aud?: number; consecutive_declines?: number }
  /** Purchased credits were refunded to the card that paid for them. */
  'topup.refunded': { credits: number; aud: number; taken_credits: number; credit_note_id: string | null }
  /** The payment processor rejected a refund; its credits are available again. */
  'topup.refund_failed': { credits: number; aud: number }
  /** The balance fell below its threshold. */
  'credits.low_balance': { available_credits: number; threshold_credits: number | null }
  /** The balance reached zero. */
  'credits.depleted': { available_credits: number; threshold_credits: number | null }
  /** Credits are about to expire. */
  'credits.expiring': { available_credits: number; expires_at: string | null; kind: string }
  /** A hold is about to expire and cannot be renewed: the order or job that it pays for has to end now. */
  'hold.ending': { reference_type: string; reason: string }
  /** A hold expired; nothing was charged. */
  'hold.expired': { hold_id: string; amount_credits: number }
  /** A cardholder disputed a charge; the credits of the charge are held. */
  'dispute.opened': { payment_intent_id: string; aud: number; held_credits: number; state: string }
  /** The bank decided a disputed charge. */
  'dispute.closed': { payment_intent_id: string; aud: number; held_credits: number; state: string }
  /** The card payment of an order was refunded to the card, in full or in part. */
  'payment.refunded': { aud: number; payment_intent_id: string; credit_note_id: string | null }
  /** A payment method was attached. */
  'payment_method.attached': { kind: string; brand: string | null; last4: string | null; exp_month: number | null; exp_year: number | null; isDefault: boolean }
  /** A payment method was detached. */
  'payment_method.detached': { kind: string; brand: string | null; last4: string | null; exp_month: number | null; exp_year: number | null; isDefault: boolean }
  /** A card is about to expire. */
  'payment_method.expiring': { kind: string; brand: string | null; last4: string | null; exp_month: number | null; exp_year: number | null; isDefault: boolean }
  /** A commitment of an enterprise organization was created. */
  'commitment.created': { name: string; version: number; period_start: string; period_end: string; committed_aud: number }
  /** A commitment was amended; the change applies from now on. */
  'commitment.amended': { name: string; version: number; period_start: string; period_end: string; committed_aud: number }
  /** The period of a commitment was closed and the shortfall against its minimum was charged. */
  'commitment.closed': { name: string; committed_aud: number; delivered_aud: number; shortfall_aud: number }
  /** The invoice for a month was issued. */
  'invoice.issued': { number: string; period: string; total_aud: number; due_at: string }
  /** An invoice was credited, in full or in part. */
  'invoice.credited': { number: string; corrects: string; total_aud: number }
  /** An invoice was paid. */
  'invoice.paid': { number: string; total_aud: number }
}
