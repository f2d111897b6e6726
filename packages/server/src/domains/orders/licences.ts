import { validationProblem } from '../../engine/problem.ts'
import { collectionOf } from '../catalog/hosts.ts'
import type { QuotedCapture } from './quote.ts'

type Licensed = Pick<QuotedCapture, 'price' | 'host' | 'scene'>

/** The licences of a capture: those of its product, the standard one first; a free scene has only its own. */
const offersOf = ({ price, host, scene }: Licensed): readonly string[] =>
  price?.licences ?? [collectionOf(host, scene)?.license ?? host.license]

/**
 * The licence of each capture: the requested one if its product offers it, else the standard one. Throws `validation` if a
 * paid capture, or no capture at all, is offered under the requested licence.
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
      : 'must be omitted: no licence is offered for all captures'
  return validationProblem([{ path: 'licenseType', message }])
}

/** The common licence of all captures; null if they differ. */
export const commonLicence = (licences: readonly string[]): string | null =>
  new Set(licences).size === 1 ? (licences[0] ?? null) : null
