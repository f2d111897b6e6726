import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PaymentsHarness, ContractTests } from './payments-harness.ts'
import { challengeContract } from './challenge-contract.ts'
import { chargeContract } from './charge-contract.ts'
import { idempotencyContract } from './idempotency-contract.ts'
import { customersContract } from './customers-contract.ts'
import { expiryContract, webhookContract } from './webhook-contract.ts'

/** All contract tests of `Payments`, by name. */
export const paymentsContract: ContractTests = {
  ...customersContract,
  ...chargeContract,
  ...challengeContract,
  ...idempotencyContract,
  ...expiryContract,
  ...webhookContract,
}

/**
 * Runs all contract tests on a processor. A test listed in `unsupported` must fail: once it passes, its row is
 * out of date.
 */
export function runPaymentsContract(
  name: string,
  getHarness: () => PaymentsHarness,
  unsupported: Readonly<Record<string, string>> = {},
): void {
  describe(`payments by ${name}`, () => {
    for (const testName of Object.keys(unsupported))
      assert.ok(paymentsContract[testName], `no contract test is named "${testName}"`)
    for (const [testName, run] of Object.entries(paymentsContract)) {
      const reason = unsupported[testName]
      if (reason === undefined) test(testName, () => run(getHarness()))
      else test(`not supported by ${name} (${reason}): ${testName}`, () => assert.rejects(run(getHarness())))
    }
  })
}
