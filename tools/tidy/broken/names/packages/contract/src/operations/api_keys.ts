export const billingCreditsReverseOperation = operation({ id: 'billing.credits.reverse' })
