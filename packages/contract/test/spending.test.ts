import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spendFields } from '../src/schemas/spend.ts'
import { registry } from '../src/registry.ts'

const spending = registry.filter(({ effect, implemented }) => effect === 'spend' && implemented)
const propertiesOf = (schema: object): object => (schema as { readonly properties?: object }).properties ?? {}

test('every operation that spends has max_credits and dry_run', () => {
  const lacking = spending.filter(
    ({ input }) => !Object.keys(spendFields).every((name) => Object.hasOwn(propertiesOf(input), name)),
  )
  assert.deepEqual(
    lacking.map(({ id }) => id),
    [],
  )
})

test('every operation that spends returns the entries of a dry run', () => {
  const lacking = spending.filter(({ output }) => !Object.hasOwn(propertiesOf(output), 'dry_run'))
  assert.deepEqual(
    lacking.map(({ id }) => id),
    [],
  )
const heldBefore = 'the price was held when the job was created; it is captured or released'

/** Operations that spend without `max_credits` and `dry_run`, with the reason. */
const withoutSpendFields: Readonly<Record<string, string>> = {
  'admin.commitments.close_period': decidedBefore,
  'admin.invoices.credit': statesItsAmount,
  'admin.orgs.credit_adjust': statesItsAmount,
  'billing.jobs.settle_unsettled': decidedBefore,
  'billing.reconciliation.correct_drift': 'it has a preview of its own, `billing.reconciliation.detect_drift`',
  'billing.refunds.request': statesItsAmount,
  'billing.run_monthly_cron': decidedBefore,
  'billing.run_monthly_for_org': decidedBefore,
  'processing.dispatch': heldBefore,
  'processing.job.register': heldBefore,
  'orders.standing.create': 'it orders nothing itself, and its caps are required',
}

test('every operation that spends has max_credits and dry_run, or a reason to have none', () => {
  const spending = registry.filter(({ effect, implemented }) => effect === 'spend' && implemented)
  const lacking = spending.filter(({ input }) => {
    const properties = (input as { readonly properties?: object }).properties ?? {}
    return !Object.keys(spendFields).every((name) => name in properties)
  })
  assert.deepEqual(lacking.map(({ id }) => id).toSorted(), Object.keys(withoutSpendFields).toSorted())
})
