import type { Plan } from '@swath/contract/schemas/billing.ts'

const gigabyte_bytes = 1_000_000_000

/** The plans. Null means that the plan sets no limit; for `enterprise` the contract does. */
export const billingPlans: readonly Plan[] = [
  {
    id: 'free',
    title: 'Free',
    description: '500 credits each month for trying things out; items are kept for 30 days.',
    monthly_credits: 500,
    monthly_credits_expire_after_days: 30,
    storage_quota_bytes: 5 * gigabyte_bytes,
    item_retention_days: 30,
    concurrent_jobs: 2,
    price_aud: 0,
  },
  {
    id: 'prepaid',
    title: 'Prepaid',
    description: 'Credits are bought before they are spent; items are kept.',
    monthly_credits: 0,
    monthly_credits_expire_after_days: null,
    storage_quota_bytes: 200 * gigabyte_bytes,
    item_retention_days: null,
    concurrent_jobs: 10,
    price_aud: 0,
  },
  {
    id: 'enterprise',
    title: 'Enterprise',
    description: 'By contract: a monthly invoice, negotiated rates and limits.',
    monthly_credits: 0,
    monthly_credits_expire_after_days: null,
    storage_quota_bytes: null,
    item_retention_days: null,
    concurrent_jobs: null,
    price_aud: null,
  },
  {
    id: 'internal',
    title: 'Internal',
    description: 'For the people who run the platform.',
    monthly_credits: 0,
    monthly_credits_expire_after_days: null,
    storage_quota_bytes: null,
    item_retention_days: null,
    concurrent_jobs: null,
    price_aud: null,
  },
]

export const findBillingPlan = (id: Plan['id']): Plan => billingPlans.find((plan) => plan.id === id)!
