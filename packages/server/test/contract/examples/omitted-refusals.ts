/** A declared refusal without a row in `refusals.ts`. */
export interface OmittedRefusal {
  readonly reason: string
  /** The name of the test file that has it instead; null if no input leads to it. */
  readonly test: string | null
}

const testedBy = (test: string, reason: string): OmittedRefusal => ({ reason, test })
const unreachable = (reason: string): OmittedRefusal => ({ reason, test: null })

const keepsRecoveryPoint = testedBy('unpaid-keys.long.test.ts', 'leaves a recovery point')
const needsEgress = testedBy('egress.test.ts', 'needs the downloads of a day')
const unavailableForCards = testedBy('payment-methods.test.ts', 'the embedded processor is always available')
const unknownToProcessor = unreachable('needs a processor without the customer or the card')
const placedAsAnArchiveOrder = testedBy('reorder.long.test.ts', 'is placed by the function of orders.archive.place')
const needsAgreement = testedBy('eulas.long.test.ts', 'needs a host with a licence agreement')
const needsSecondOperator = testedBy('role-changes.long.test.ts', 'needs a second operator')
const spendsNoCredits = unreachable('declared for all charging operations; a top-up spends no credits')

/** Declared refusals that no call can trigger here. */
export const omittedRefusals: Readonly<Record<string, OmittedRefusal>> = {
  'admin.credit_adjustments.approve already-decided': testedBy(
    'operator-actions.long.test.ts',
    'needs a second operator',
  ),
  'admin.credit_adjustments.approve insufficient-credits': testedBy(
    'operator-actions.long.test.ts',
    'needs a second operator',
  ),
  'admin.credit_adjustments.approve spend-limit-exceeded': testedBy(
    'operator-actions.long.test.ts',
    'needs a second operator',
  ),
  'admin.data_products.versions.approve invalid-state': testedBy(
    'product-versions.long.test.ts',
    'needs a second operator and a later time',
  ),
  'admin.role_changes.approve forbidden': needsSecondOperator,
  'admin.role_changes.approve already-decided': needsSecondOperator,
  'admin.role_changes.approve invalid-state': needsSecondOperator,
  'admin.role_changes.reject already-decided': needsSecondOperator,
  'admin.rate_cards.approve invalid-state': testedBy(
    'rate-cards.long.test.ts',
    'needs a second operator and a later time',
  ),
  'billing.approvals.approve insufficient-credits': spendsNoCredits,
  'billing.approvals.approve past-due': spendsNoCredits,
  'billing.approvals.approve payment-action-required': keepsRecoveryPoint,
  'billing.approvals.approve payment-declined': testedBy('unpaid-keys.long.test.ts', 'consumes the approval'),
  'billing.approvals.approve spend-limit-exceeded': testedBy('orders-price-lock.long.test.ts', 'compares max_credits'),
  'billing.approvals.approve upstream': testedBy(
    'approvals.long.test.ts',
    'the embedded processor is always available',
  ),
  'billing.jobs.settle_unsettled spend-limit-exceeded': testedBy(
    'dry-run.long.test.ts',
    'needs the hold of a lost job',
  ),
  'billing.set_auto_topup spend-limit-exceeded': testedBy('topup-limits.test.ts', 'needs an owner with a limit'),
  'billing.topup payment-action-required': keepsRecoveryPoint,
  'billing.topup upstream': testedBy('topup.long.test.ts', 'the embedded processor is always available'),
  'organizations.domains.add invalid-state': testedBy(
    'federation-settings.test.ts',
    'needs a hundred domains, or a sandbox',
  ),
  'organizations.domains.verify name-taken': testedBy(
    'federation-settings.test.ts',
    'needs the records of name servers',
  ),
  'organizations.scim_tokens.create invalid-state': testedBy(
    'federation-settings.test.ts',
    'needs twenty tokens, or a sandbox',
  ),
  'organizations.invitations.accept forbidden': testedBy(
    'provider-sessions.long.test.ts',
    'needs a session that a provider began',
  ),
  'organizations.invitations.accept invalid-state': testedBy(
    'invitations.long.test.ts',
    'needs the token of an e-mail',
  ),
  'orders.archive.place eula-not-accepted': needsAgreement,
  'orders.tasking.place forbidden': unreachable('declared for all purchases; no delivery target is read-only'),
  'orders.tasking.place payment-action-required': keepsRecoveryPoint,
  'orders.tasking.place eula-not-accepted': needsAgreement,
  'orders.tasking.place upstream': unreachable('the hosts for tests always respond'),
  'orders.tasking.feasibility_decide forbidden': unreachable(
    'declared for all purchases; no delivery target is read-only',
  ),
  'orders.tasking.feasibility_decide payment-action-required': keepsRecoveryPoint,
  'orders.tasking.feasibility_decide eula-not-accepted': needsAgreement,
  'orders.tasking.feasibility_decide upstream': unreachable('the hosts for tests always respond'),
  'orders.tasking.quotation_decide forbidden': unreachable(
    'declared for all purchases; no delivery target is read-only',
  ),
  'orders.tasking.quotation_decide payment-action-required': keepsRecoveryPoint,
  'orders.tasking.quotation_decide eula-not-accepted': needsAgreement,
  'orders.tasking.quotation_decide upstream': unreachable('the hosts for tests always respond'),
  'orders.place eula-not-accepted': needsAgreement,
  'orders.reorder eula-not-accepted': needsAgreement,
  'orders.standing.decide eula-not-accepted': needsAgreement,
  'orders.archive.place forbidden': unreachable('declared for all purchases; no delivery target is read-only'),
  'orders.archive.place payment-action-required': keepsRecoveryPoint,
  'orders.cancel spend-limit-exceeded': testedBy('cancel-policy.long.test.ts', 'needs a host that can withdraw orders'),
  'orders.cancel upstream': testedBy('cancel-policy.long.test.ts', 'needs a host that can withdraw orders'),
  'orders.standing.decide forbidden': unreachable('declared for all purchases; no delivery target is read-only'),
  'orders.standing.decide payment-action-required': testedBy(
    'unpaid-keys.long.test.ts',
    'pays as orders.archive.place does',
  ),
  'orders.standing.decide upstream': testedBy(
    'standing-orders.long.test.ts',
    'needs a host that failed after the search',
  ),
  'orders.place forbidden': unreachable('declared for all purchases; no delivery target is read-only'),
  'orders.place payment-action-required': keepsRecoveryPoint,
  'orders.download bandwidth-breaker': needsEgress,
  'orders.download budget-exceeded': unreachable('needs an order with more files than a ZIP may hold'),
  'orders.download download-cap': needsEgress,
  'orders.reorder forbidden': unreachable('declared for all purchases; no delivery target is read-only'),
  'orders.reorder insufficient-credits': placedAsAnArchiveOrder,
  'orders.reorder past-due': placedAsAnArchiveOrder,
  'orders.reorder payment-action-required': keepsRecoveryPoint,
  'orders.reorder payment-declined': placedAsAnArchiveOrder,
  'orders.reorder upstream': placedAsAnArchiveOrder,
  'payment_methods.attach upstream': unavailableForCards,
  'payment_methods.create_setup_intent payment-declined': unknownToProcessor,
  'payment_methods.create_setup_intent upstream': unavailableForCards,
  'payment_methods.detach payment-declined': unknownToProcessor,
  'payment_methods.detach upstream': unavailableForCards,
  'payment_methods.set_default payment-declined': unknownToProcessor,
  'payment_methods.set_default upstream': unavailableForCards,
}
