export const billingCreditsGrantOperation = operation({ id: 'billing.credits.grant' })

export const billingCreditsListOperation = operation({ id: 'billing.credits.list' })

export const billingCreditsExpireOperation = operation({ id: 'billing.credits.expire' })

export const billingStatusOperation = operation({ id: 'billing.status' })
