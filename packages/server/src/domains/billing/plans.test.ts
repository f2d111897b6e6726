import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBillingPlan, billingPlans } from './plans.ts'

test('each plan has its credits and limits', () => {
  const values = billingPlans.map((plan) => [
    plan.id,
    plan.monthly_credits,
    plan.monthly_credits_expire_after_days,
    plan.storage_quota_bytes,
    plan.item_retention_days,
    plan.concurrent_jobs,
  ])
  assert.deepEqual(values, [
    ['free', 500, 30, 5e9, 30, 2],
    ['prepaid', 0, null, 200e9, null, 10],
    ['enterprise', 0, null, null, null, null],
    ['internal', 0, null, null, null, null],
  ])
})

test('finds every plan by its id', () => {
  for (const plan of billingPlans) assert.equal(findBillingPlan(plan.id), plan)
})
