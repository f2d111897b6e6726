import { validationProblem } from '../../engine/problem.ts'
import { collectionOf } from '../catalog/hosts.ts'
import type { QuotedCapture } from './quote.ts'

type Licensed = Pick<QuotedCapture, 'price' | 'host' | 'scene'>

/** What can be had for a capture: the licences of its product, the standard one first; a free scene has only its own. */
const offersOf = ({ price, host, scene }: Licensed): readonly string[] =>
  price?.licences ?? [collectionOf(host, scene)?.license ?? host.license]

/**
 * The licence of each capture: the one that is asked for where its product offers it, else the standard one. Throws
 * `validation` where something that is paid for cannot be had under what is asked, or nothing at all can.
 */
export function chooseLicences(captures: readonly Licensed[], asked: string | null): string[] {
  const offers = captures.map(offersOf)
  const priced = captures.filter(({ price }) => price !== null).map(offersOf)
  if (asked !== null) {
    const offered = (licences: readonly string[]): boolean => licences.includes(asked)
    if (!priced.every(offered) || !offers.some(offered)) throw refusal(priced.length > 0 ? priced : offers)
  }
  return offers.map((licences) => (asked !== null && licences.includes(asked) ? asked : (licences[0] ?? '')))
}

function refusal(offers: readonly (readonly string[])[]): Error {
  const common = offers.reduce((left, right) => left.filter((licence) => right.includes(licence)))
  const message =
    common.length > 0
      ? `must be one of: ${common.join(', ')}`
      : 'must be left out: no licence is offered for all that is ordered'
  return validationProblem([{ path: 'licenseType', message }])
}

/** The licence of all captures; null where they differ. */
export const commonLicence = (licences: readonly string[]): string | null =>
  new Set(licences).size === 1 ? (licences[0] ?? null) : null
