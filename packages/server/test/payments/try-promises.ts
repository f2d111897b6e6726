import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Bench, Promises } from './bench.ts'
import { challengePromises } from './challenge-promises.ts'
import { chargePromises } from './charge-promises.ts'
import { keyPromises } from './key-promises.ts'
import { peoplePromises } from './people-promises.ts'
import { timePromises, webhookPromises } from './webhook-promises.ts'

/** Everything that the face promises, by its sentence. */
export const promises: Promises = {
  ...peoplePromises,
  ...chargePromises,
  ...challengePromises,
  ...keyPromises,
  ...timePromises,
  ...webhookPromises,
}

/**
 * Tries every promise on a processor. One that a server of others is known not to keep must indeed fail there: when it
 * begins to hold, its row in `broken` is out of date.
 */
export function tryPromises(name: string, bench: () => Bench, broken: Readonly<Record<string, string>> = {}): void {
  describe(`payments by ${name}`, () => {
    for (const sentence of Object.keys(broken)) assert.ok(promises[sentence], `no promise says "${sentence}"`)
    for (const [sentence, keep] of Object.entries(promises)) {
      const reason = broken[sentence]
      if (reason === undefined) test(sentence, () => keep(bench()))
      else test(`not kept by ${name} (${reason}): ${sentence}`, () => assert.rejects(keep(bench())))
    }
  })
}
