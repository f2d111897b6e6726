import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Bench, Promises } from './bench.ts'
import { challengePromises } from './challenge-promises.ts'
import { chargePromises } from './charge-promises.ts'
import { keyPromises } from './key-promises.ts'
import { peoplePromises } from './people-promises.ts'
import { timePromises, webhookPromises } from './webhook-promises.ts'

/** All contract tests of `Payments`, by name. */
export const promises: Promises = {
  ...peoplePromises,
  ...chargePromises,
  ...challengePromises,
  ...keyPromises,
  ...timePromises,
  ...webhookPromises,
}

/**
 * Runs all contract tests on a processor. A test listed in `unsupported` must fail: once it passes, its row is
 * out of date.
 */
export function tryPromises(name: string, bench: () => Bench, broken: Readonly<Record<string, string>> = {}): void {
  describe(`payments by ${name}`, () => {
    for (const sentence of Object.keys(broken)) assert.ok(promises[sentence], `no contract test is named "${sentence}"`)
    for (const [sentence, keep] of Object.entries(promises)) {
      const reason = broken[sentence]
      if (reason === undefined) test(sentence, () => keep(bench()))
      else test(`not supported by ${name} (${reason}): ${sentence}`, () => assert.rejects(keep(bench())))
    }
  })
}
